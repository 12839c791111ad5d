import { describe, expect, test } from 'vitest';
import { compliance, contacts as contract, groups, type Input } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { optOut } from '../compliance/index.ts';
import { markUnsubscribed, markUnsubscribedMany } from './store.ts';

const app = await createTestApp();
const inCompany = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const add = async (
  who: TestPerson,
  body: Partial<NonNullable<Input<typeof contract.createContact>['body']>> & { number: string },
) => (await app.as(who).request(contract.createContact, { body: body })).body.data;
const list = (who: TestPerson, query: object = {}) =>
  app.as(who).request(contract.listContacts, { query: query });
const names = async (who: TestPerson, query: object) =>
  (await list(who, query)).body.data.map((c) => c.name);
const phone = (n: number) => `+1212555${String(1000 + n)}`;

describe('one contact', () => {
  test('is created with all its fields, and its number is taken', async () => {
    const { owner } = await app.createCompany();
    const label = (
      await app.as(owner).request(groups.createContactLabel, {
        params: { companyId: owner.companyId },
        body: { label: 'VIP' },
      })
    ).body.data;
    const group = (await app.as(owner).request(groups.createGroup, { body: { name: 'Regulars' } }))
      .body.data;
    const dana = await add(owner, {
      name: 'Dana Reed',
      number: '(212) 555-0147',
      email: 'dana@example.com',
      secondaryEmails: ['d@work.test'],
      alternativeNames: ['D. Reed'],
      gender: 'Female',
      ageRange: '31-35',
      groups: [group.id],
      labels: [label.id],
    });
    expect(dana).toMatchObject({
      number: '+12125550147',
      source: 'Manual',
      type: 'Person',
      gender: 'Female',
      groups: [{ id: group.id, name: 'Regulars' }],
      labels: [{ id: label.id, label: 'VIP' }],
      secondaryEmails: ['d@work.test'],
      alternativeNames: ['D. Reed'],
    });
    const twice = await app.as(owner).request(contract.createContact, {
      body: { number: '212.555.0147', name: 'Somebody' },
    });
    expect([
      twice.status,
      (twice.body as never as { errors: { id: number }[] }).errors[0]!.id,
    ]).toEqual([409, dana.id]);
    expect(
      (await app.as(owner).request(contract.createContact, { body: { number: '12' } })).status,
    ).toBe(422);
    const patched = await app.as(owner).request(contract.updateContact, {
      params: { contactId: dana.id },
      body: { groups: [], labels: [] },
    });
    expect(patched.body.data).toMatchObject({ groups: [], labels: [], name: 'Dana Reed' });
  });

  test('is restored with its groups and labels, unless its number belongs to another contact', async () => {
    const { owner } = await app.createCompany();
    const group = (await app.as(owner).request(groups.createGroup, { body: { name: 'Regulars' } }))
      .body.data;
    const dana = await add(owner, { name: 'Dana', number: phone(1), groups: [group.id] });
    expect(
      (await app.as(owner).request(contract.deleteContact, { params: { contactId: dana.id } }))
        .status,
    ).toBe(204);
    expect([
      (await app.as(owner).request(contract.getContact, { params: { contactId: dana.id } })).status,
      (await list(owner)).body.meta.total,
      (await list(owner, { withTrashed: 1 })).body.data.map((c) => c.id),
    ]).toEqual([404, 0, [dana.id]]);
    const back = await app
      .as(owner)
      .request(contract.restoreContact, { params: { contactId: dana.id }, body: {} });
    expect(back.body.data).toMatchObject({
      id: dana.id,
      deletedAt: null,
      groups: [{ id: group.id, name: 'Regulars' }],
    });
    await app.as(owner).request(contract.deleteContact, { params: { contactId: dana.id } });
    const other = await add(owner, { name: 'Other', number: phone(1) });
    const refused = await app
      .as(owner)
      .request(contract.restoreContact, { params: { contactId: dana.id }, body: {} });
    expect([
      refused.status,
      (refused.body as never as { errors: { id: number }[] }).errors[0]!.id,
    ]).toEqual([409, other.id]);
  });

  test('is exported and imported as a vCard, except for users who see masked details', async () => {
    const { company, owner } = await app.createCompany();
    const dana = await add(owner, {
      name: 'Dana Reed',
      number: phone(2),
      email: 'dana@example.com',
      companyName: 'Reed & Co; Sons',
      title: 'Owner',
      address1: '1 Main St',
      city: 'New York',
      zip: '10001',
      notes: 'Prefers mornings,\nnot noon.',
      secondaryEmails: ['d@work.test'],
    });
    const card = (
      await app.as(owner).request(contract.contactVcard, { params: { contactId: dana.id } })
    ).body.data;
    expect(card.name).toBe('Dana Reed.vcf');
    const other = await app.createCompany();
    const taken = await app.as(other.owner).request(contract.addVcards, {
      params: { companyId: other.company.id },
      body: { vcard: card.vcard },
    });
    expect(taken.body.data).toMatchObject({ created: 1, errors: [] });
    expect((await list(other.owner)).body.data[0]).toMatchObject({
      name: 'Dana Reed',
      number: phone(2),
      email: 'dana@example.com',
      companyName: 'Reed & Co; Sons',
      title: 'Owner',
      address1: '1 Main St',
      city: 'New York',
      zip: '10001',
      notes: 'Prefers mornings,\nnot noon.',
      secondaryEmails: ['d@work.test'],
    });
    const phones =
      'BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Fr=C3=A4nk;Ann;;;\nTEL;HOME:212-555-1010\nTEL;CELL:212-555-1011\nEND:VCARD\nBEGIN:VCARD\nVERSION:3.0\nFN:No number\nEND:VCARD';
    const two = (
      await app.as(other.owner).request(contract.addVcards, {
        params: { companyId: other.company.id },
        body: { vcard: phones },
      })
    ).body.data;
    expect([two.created, two.errors]).toEqual([
      1,
      [{ row: 2, field: 'number', message: 'This row has no number.' }],
    ]);
    expect(await names(other.owner, { search: '5551011' })).toEqual(['Ann Fränk']);
    expect(
      (
        await app.as(other.owner).request(contract.addVcards, {
          params: { companyId: other.company.id },
          body: { vcard: 'hello' },
        })
      ).status,
    ).toBe(422);
    const user = await app.createPerson(company.id, 'user');
    await app.services.db.transaction({ companyId: company.id }, (tx) =>
      tx
        .updateTable('company')
        .set({ settings: { mask_contact_details_for_users: true } })
        .where('id', '=', company.id)
        .execute(),
    );
    expect(
      (await app.as(user).request(contract.contactVcard, { params: { contactId: dana.id } }))
        .status,
    ).toBe(403);
    expect([
      await names(user, { search: 'reed' }),
      await names(user, { search: '1002' }),
      await names(user, { search: 'example.com' }),
    ]).toEqual([['Dana Reed'], [], []]);
  });
});

describe('the list', () => {
  test('is searched by all names, addresses and numbers, filtered, sorted and paged', async () => {
    const { owner } = await app.createCompany();
    await add(owner, { name: 'Zoe', number: phone(11), city: 'Boston' });
    await add(owner, {
      name: 'adam',
      number: phone(12),
      email: 'adam@firm.test',
      type: 'Business',
    });
    await add(owner, {
      name: 'Mia',
      number: phone(13),
      alternativeNames: ['Old Name'],
      secondaryEmails: ['second@mail.test'],
    });
    expect(await names(owner, {})).toEqual(['Mia', 'adam', 'Zoe']);
    expect(await names(owner, { sort: 'name' })).toEqual(['adam', 'Mia', 'Zoe']);
    expect(await names(owner, { sort: 'name', dir: 'desc' })).toEqual(['Zoe', 'Mia', 'adam']);
    expect([
      await names(owner, { search: 'old name' }),
      await names(owner, { search: 'SECOND@' }),
      await names(owner, { search: '(212) 555-1012' }),
      await names(owner, { search: '100%' }),
    ]).toEqual([['Mia'], ['Mia'], ['adam'], []]);
    expect([
      await names(owner, { type: 'Business' }),
      await names(owner, {
        filters: { rule: { all: [{ field: 'city', op: 'is', value: 'boston' }] } },
      }),
    ]).toEqual([['adam'], ['Zoe']]);
    const first = await list(owner, { sort: 'name', perPage: 2 });
    expect([
      first.body.data.map((c) => c.name),
      first.body.meta.total,
      (
        await list(owner, { sort: 'name', perPage: 2, cursor: first.body.meta['next_cursor'] })
      ).body.data.map((c) => c.name),
    ]).toEqual([['adam', 'Mia'], 3, ['Zoe']]);
    expect((await list(owner, { sort: 'shoe' })).status).toBe(422);
    expect(
      (
        await list(owner, {
          filters: { rule: { all: [{ field: 'nonsense', op: 'is', value: 'x' }] } },
        })
      ).status,
    ).toBe(422);
  });
});

describe('many at once', () => {
  test('are upserted by number, with errors by row', async () => {
    const { company, owner } = await app.createCompany();
    await add(owner, { name: 'Dana', number: phone(21), email: 'old@x.test' });
    const group = (await app.as(owner).request(groups.createGroup, { body: { name: 'Put' } })).body
      .data;
    const put = (contacts: object[], more: object = {}) =>
      app.as(owner).request(contract.putContacts, {
        params: { companyId: company.id },
        body: { contacts, ...more },
      });
    const { body } = await put(
      [
        { name: 'Dana R', number: phone(21) },
        { number: phone(22), name: 'New' },
        { name: 'Nobody' },
        { number: 'abc' },
        { number: phone(22) },
        { number: phone(23), email: 'nope' },
      ],
      { group: group.id },
    );
    expect(body.data).toMatchObject({ total: 6, created: 1, updated: 1, unchanged: 0 });
    expect(body.data.errors.map((e) => [e.row, e.field])).toEqual([
      [3, 'number'],
      [4, 'number'],
      [5, 'number'],
      [6, 'email'],
    ]);
    expect(
      (await list(owner, { groupId: group.id, sort: 'name' })).body.data.map((c) => [
        c.name,
        c.email,
      ]),
    ).toEqual([
      ['Dana R', 'old@x.test'],
      ['New', ''],
    ]);
    expect((await put([{ name: 'Dana R', number: phone(21) }])).body.data).toMatchObject({
      unchanged: 1,
    });
    // Unknown and read-only fields are rejected with their path, and nothing is written.
    expect(
      (
        await put([
          { number: phone(21), name: 'Dana S' },
          { number: phone(22), mail: 'x@x.test' },
        ])
      ).body,
    ).toMatchObject({
      status: 422,
      errors: { 'contacts.1.mail': [expect.stringContaining('There is no field named mail.')] },
    });
    expect(
      (await put([{ number: phone(21), name: 'Dana S', unsubscribed: true }])).body,
    ).toMatchObject({
      status: 422,
      errors: {
        'contacts.0.unsubscribed': [expect.stringContaining('can’t be written this way')],
      },
    });
    const [dana] = (await list(owner, { search: 'Dana R' })).body.data;
    const { groups: _, labels: __, eavAttributeValues: ___, ...shown } = dana!;
    expect((await put([{ ...shown, city: 'Boston' }])).body.data).toMatchObject({
      updated: 1,
      errors: [],
    });
    const user = await app.createPerson(company.id, 'user');
    expect(
      (
        await app.as(user).request(contract.putContacts, {
          params: { companyId: company.id },
          body: { contacts: [{ number: phone(24) }] },
        })
      ).status,
    ).toBe(403);
  });

  test('bulk actions run on selected or all matching contacts and can be undone', async () => {
    const { company, owner } = await app.createCompany();
    const ids: number[] = [];
    for (let i = 0; i < 6; i++)
      ids.push((await add(owner, { name: i % 2 ? 'Odd' : 'Even', number: phone(30 + i) })).id);
    const label = (
      await app.as(owner).request(groups.createContactLabel, {
        params: { companyId: owner.companyId },
        body: { label: 'Chosen' },
      })
    ).body.data;
    const at = { companyId: company.id, labelId: label.id };
    const some = await app.as(owner).request(groups.bulkAddLabel, {
      params: at,
      body: { contacts: [ids[0]!, ids[0]!, 999] },
    });
    expect(some.body.data).toMatchObject({ status: 'finished', changed: 1 });
    const all = await app.as(owner).request(groups.bulkAddLabel, {
      params: at,
      body: { all: true, filters: { search: 'even' } },
    });
    expect(all.body.data).toMatchObject({ total: 3, changed: 2 });
    expect((await list(owner, { labelId: label.id })).body.meta.total).toBe(3);
    const undo = (batchId: string) =>
      app.as(owner).request(contract.undoBulkContacts, {
        params: { companyId: company.id, batchId },
        body: {},
      });
    expect((await undo(all.body.data.batchId)).body.data.changed).toBe(2);
    expect((await list(owner, { labelId: label.id })).body.data.map((c) => c.id)).toEqual([ids[0]]);
    expect((await undo(all.body.data.batchId)).status).toBe(409);
    expect(
      (
        await app.as(owner).request(groups.bulkRemoveLabel, {
          params: at,
          body: { all: true, filters: {} },
        })
      ).body.data.changed,
    ).toBe(1);
    const gone = await app.as(owner).request(contract.bulkDestroyContacts, {
      params: { companyId: company.id },
      body: { all: true, filters: { search: 'odd' } },
    });
    expect([gone.body.data.changed, (await list(owner)).body.meta.total]).toEqual([3, 3]);
    const user = await app.createPerson(company.id, 'user');
    expect(
      (
        await app.as(user).request(contract.undoBulkContacts, {
          params: { companyId: company.id, batchId: gone.body.data.batchId },
          body: {},
        })
      ).status,
    ).toBe(403);
    await undo(gone.body.data.batchId);
    expect((await list(owner)).body.meta.total).toBe(6);
    expect(
      (
        await app.as(owner).request(contract.bulkDestroyContacts, {
          params: { companyId: company.id },
          body: {},
        })
      ).status,
    ).toBe(422);
  });

  test('more than 1,000 are changed by a job, once each, and undone by a job', async () => {
    const { company, owner } = await app.createCompany();
    for (let part = 0; part < 3; part++)
      await app.as(owner).request(contract.putContacts, {
        params: { companyId: company.id },
        body: {
          contacts: Array.from({ length: 900 }, (_, i) => ({
            number: `+1646${2_000_000 + part * 900 + i}`,
            name: `Person ${i}`,
          })),
        },
      });
    const group = (await app.as(owner).request(groups.createGroup, { body: { name: 'Everybody' } }))
      .body.data;
    const begun = await app.as(owner).request(groups.addAllToGroup, {
      params: { companyId: company.id, groupId: group.id },
      body: {},
    });
    expect([begun.status, begun.body.data.status, begun.body.data.total]).toEqual([
      202,
      'queued',
      2700,
    ]);
    await app.drainJobs();
    const counted = async () =>
      (await app.as(owner).request(groups.getGroup, { params: { id: group.id } })).body.data
        .contactCount;
    expect(await counted()).toBe(2700);
    await app.as(owner).request(contract.undoBulkContacts, {
      params: { companyId: company.id, batchId: begun.body.data.batchId },
      body: {},
    });
    await app.drainJobs();
    expect(await counted()).toBe(0);
    expect((await list(owner)).body.meta).toMatchObject({ total: 2700 });
    expect((await list(owner, { search: 'person' })).body.meta).toMatchObject({
      total: 1000,
      total_is_capped: true,
    });
    // The total is capped, but later pages continue to the end.
    const after = async (page: number) =>
      (await list(owner, { search: 'person', perPage: 100, page })).body.links.next;
    expect([await after(10), await after(27)]).toEqual([expect.stringContaining('page=11'), null]);
    expect(
      (
        await app.as(owner).request(contract.countContacts, {
          params: { companyId: company.id },
          body: { filters: { search: 'person' } },
        })
      ).body.data.total,
    ).toBe(2700);
  }, 180_000);
});

test('contacts created later get the opt-out of their number, however they are created', async () => {
  const { company, owner } = await app.createCompany();
  const [one, two, three] = [phone(51), phone(52), phone(53)];
  for (const number of [one, two, three])
    await inCompany(company.id).transaction((t) =>
      optOut(t, { number, source: 'manual', numberId: null, proof: null }),
    );
  await app.as(owner).request(contract.putContacts, {
    params: { companyId: company.id },
    body: { contacts: [{ number: one }, { number: two }, { number: phone(54) }] },
  });
  await add(owner, { number: three, name: 'Third' });
  await app.drainJobs();
  const state = async (query: object) =>
    (await list(owner, query)).body.data.map((c) => c.number).sort();
  expect([await state({ state: 'unsubscribed' }), await state({ state: 'active' })]).toEqual([
    [one, two, three],
    [phone(54)],
  ]);
  const blocked = await app
    .as(owner)
    .request(compliance.addBlock, { body: { company_id: company.id, target: one } });
  expect(blocked.body.data.contact).toMatchObject({ name: '' });
});

test('the latest opt-out or opt-in wins, in whatever order the events arrive', async () => {
  const { company, owner } = await app.createCompany();
  const number = phone(55);
  await add(owner, { number, name: 'Quick' });
  await app.drainJobs();
  const hear = (seq: number, at: Date | null) =>
    inCompany(company.id).transaction((t) => markUnsubscribed(t.tx, company.id, number, at, seq));
  const active = async () => (await list(owner, { state: 'active' })).body.data.length === 1;
  const [out, first] = [new Date(), 1_000_000];
  expect(
    [await hear(first + 1, null), await active()],
    'START, said second, is heard first',
  ).toEqual([undefined, true]);
  expect([await hear(first, out), await active()], 'STOP, said first').toEqual([undefined, true]);
  expect([(await hear(first + 2, out)) !== undefined, await active()], 'STOP again').toEqual([
    true,
    false,
  ]);
  await inCompany(company.id).transaction((t) =>
    markUnsubscribedMany(t.tx, company.id, [{ number, at: null }], first + 1),
  );
  expect(await active()).toBe(false);
});
