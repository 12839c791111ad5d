import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { contacts as contract, groups, type contacts } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { optIn, optOut } from '../../compliance/index.ts';
import { addToGroups, membersOfGroup } from '../index.ts';
import { compactCounts } from './store-groups.ts';

const app = await createTestApp();
const inCompany = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const phone = (n: number) => `+1312555${String(1000 + n)}`;
const add = async (who: TestPerson, n: number, body: object = {}) =>
  (await app.as(who).request(contract.createContact, { body: { number: phone(n), ...body } })).body
    .data;
const make = (who: TestPerson, body: object) =>
  app.as(who).request(groups.createGroup, { body } as never);
const get = async (who: TestPerson, id: number) =>
  (await app.as(who).request(groups.getGroup, { params: { id } })).body.data;
const fits = async (who: TestPerson, ...all: contacts.ContactRule['all']) =>
  (
    await app.as(who).request(contract.listContacts, { query: { rule: { all }, sort: 'name' } })
  ).body.data.map((c) => c.name);

describe('groups', () => {
  test('system groups exist, names are unique, and deleted groups keep their contacts', async () => {
    const { owner } = await app.createCompany();
    const list = async () =>
      (await app.as(owner).request(groups.listGroups)).body.data.map((g) => g.name);
    expect(await list()).toEqual(['All contacts', 'Unsubscribed', 'Invalid', 'Recent callers']);
    const dana = await add(owner, 1, { name: 'Dana' });
    const made = await make(owner, { name: 'Regulars', contacts: [dana.id] });
    expect(made.body.data).toMatchObject({
      contactCount: 1,
      activeCount: 1,
      virtual: false,
      rule: null,
      contactsLink: expect.stringContaining(`groupId=${made.body.data.id}`),
    });
    expect((await make(owner, { name: 'regulars' })).status).toBe(409);
    const all = (await app.as(owner).request(groups.listGroups)).body.data[0]!;
    expect([
      all.contactCount,
      (
        await app
          .as(owner)
          .request(groups.updateGroup, { params: { id: all.id }, body: { name: 'x' } })
      ).status,
      (await app.as(owner).request(groups.deleteGroup, { params: { id: all.id } })).status,
      (
        await app.as(owner).request(groups.addToGroup, {
          params: { id: all.id },
          body: { contacts: [dana.id] },
        })
      ).status,
    ]).toEqual([1, 409, 409, 409]);
    await app.as(owner).request(groups.deleteGroup, { params: { id: made.body.data.id } });
    expect(await list()).toHaveLength(4);
    expect(
      (
        await app
          .as(owner)
          .request(groups.restoreGroup, { params: { id: made.body.data.id }, body: {} })
      ).body.data,
    ).toMatchObject({ name: 'Regulars', contactCount: 1 });
    expect(
      (
        await app.as(owner).request(groups.removeFromGroup, {
          params: { id: made.body.data.id },
          body: { contacts: [dana.id] },
        })
      ).body.data.changed,
    ).toBe(1);
    expect((await get(owner, made.body.data.id)).contactCount).toBe(0);
  });

  test('groups with a rule follow it and are counted on use', async () => {
    const { company, owner } = await app.createCompany();
    const vip = (
      await app.as(owner).request(groups.createContactLabel, {
        params: { companyId: owner.companyId },
        body: { label: 'VIP' },
      })
    ).body.data;
    await add(owner, 11, { name: 'Ann', city: 'Boston', labels: [vip.id] });
    const ben = await add(owner, 12, { name: 'Ben', city: 'New York' });
    await add(owner, 13, { name: 'Cy', city: 'Boston' });
    const { body } = await make(owner, {
      name: 'Boston',
      virtual: true,
      rule: {
        all: [
          { field: 'city', op: 'is', value: 'BOSTON' },
          { field: 'label', op: 'has_not', value: vip.id },
        ],
      },
    });
    expect(body.data).toMatchObject({ virtual: true, contactCount: 1 });
    await app.as(owner).request(contract.updateContact, {
      params: { contactId: ben.id },
      body: { city: 'Boston' },
    });
    expect((await get(owner, body.data.id)).contactCount).toBe(2);
    const read = await inCompany(company.id).transaction((t) => membersOfGroup(t, body.data.id));
    expect(read.map((m) => [m.name, m.number])).toEqual([
      ['Ben', phone(12)],
      ['Cy', phone(13)],
    ]);
    expect((await make(owner, { name: 'Empty', virtual: true })).status).toBe(422);
    const wrong = await make(owner, {
      name: 'Wrong',
      virtual: true,
      rule: {
        all: [
          { field: 'group', op: 'has', value: body.data.id },
          { field: 'addedAt', op: 'within_days', value: 'soon' },
        ],
      },
    });
    expect(Object.keys((wrong.body as never as { errors: object }).errors)).toEqual([
      'rule.all.0.value',
      'rule.all.1.value',
    ]);
  });

  test('rules compare text, choices, flags, dates and custom fields', async () => {
    const { company, owner } = await app.createCompany();
    await app.services.db.transaction({ companyId: company.id }, (tx) =>
      sql`insert into field (company_id, id, entity_type_id, key, name, type, choices)
        values (${company.id}, 90, 7, 'stage', 'Stage', 'enum',
          '[{"id":1,"value":"New","sort_order":1,"description":""},{"id":2,"value":"Won","sort_order":2,"description":""}]'),
        (${company.id}, 91, 7, 'worth', 'Worth', 'number', '[]')`.execute(tx),
    );
    await add(owner, 21, {
      name: 'Ann',
      email: 'ann@x.test',
      type: 'Business',
      eavAttributeValues: [
        { key: 'stage', value: 2 },
        { key: 'worth', value: 1200 },
      ],
    });
    await add(owner, 22, {
      name: 'Ben',
      notes: 'likes 100% wool',
      gender: 'Male',
      eavAttributeValues: [{ key: 'worth', value: 80 }],
    });
    await inCompany(company.id).transaction((t) =>
      optOut(t, { number: phone(22), source: 'manual', numberId: null, proof: null }),
    );
    await app.drainJobs();
    expect([
      await fits(owner, { field: 'email', op: 'filled' }),
      await fits(owner, { field: 'notes', op: 'contains', value: '100%' }),
      await fits(owner, { field: 'name', op: 'starts_with', value: 'b' }),
      await fits(owner, { field: 'number', op: 'is', value: '(312) 555-1021' }),
    ]).toEqual([['Ann'], ['Ben'], ['Ben'], ['Ann']]);
    expect([
      await fits(owner, { field: 'type', op: 'in', value: ['Business', 'Other'] }),
      await fits(owner, { field: 'gender', op: 'empty' }),
      await fits(owner, { field: 'unsubscribed', op: 'is', value: true }),
      await fits(owner, { field: 'areaCode', op: 'is', value: '312' }),
    ]).toEqual([['Ann'], ['Ann'], ['Ben'], ['Ann', 'Ben']]);
    expect([
      await fits(owner, { field: 'addedAt', op: 'within_days', value: 1 }),
      await fits(owner, { field: 'addedAt', op: 'before', value: '2020-01-01' }),
      await fits(owner, { field: 'lastCalledAt', op: 'empty' }),
    ]).toEqual([['Ann', 'Ben'], [], ['Ann', 'Ben']]);
    expect([
      await fits(owner, { field: 'custom:90', op: 'is', value: 'Won' }),
      await fits(owner, { field: 'custom:90', op: 'is_not', value: 'Won' }),
      await fits(owner, { field: 'custom:91', op: 'above', value: 100 }),
      await fits(owner, { field: 'custom:90', op: 'empty' }),
    ]).toEqual([['Ann'], ['Ben'], ['Ann'], ['Ben']]);
    expect(
      (
        await app.as(owner).request(contract.listContacts, { query: { eav: { worth: '100..' } } })
      ).body.data.map((c) => c.name),
    ).toEqual(['Ann']);
  });

  test('rules use the field’s default for contacts without a value', async () => {
    const { company, owner } = await app.createCompany();
    const row = (id: number, key: string, type: string, value: string, choices = '[]') =>
      sql`(${company.id}, ${id}, 7, ${key}, ${key}, ${type}, ${choices}::jsonb, ${value}::jsonb)`;
    await app.services.db.transaction({ companyId: company.id }, (tx) =>
      sql`insert into field (company_id, id, entity_type_id, key, name, type, choices, default_value) values ${sql.join(
        [
          row(
            70,
            'stage',
            'enum',
            '1',
            '[{"id":1,"value":"New","sort_order":1,"description":""},{"id":2,"value":"Won","sort_order":2,"description":""}]',
          ),
          row(71, 'worth', 'number', '100'),
          row(72, 'vip', 'boolean', 'false'),
          row(73, 'since', 'date', '"2026-01-15"'),
          row(74, 'language', 'stringKeyword', '"English"'),
        ],
      )}`.execute(tx),
    );
    await add(owner, 31, {
      name: 'Ann',
      eavAttributeValues: [
        { key: 'stage', value: 2 },
        { key: 'worth', value: 900 },
        { key: 'vip', value: true },
        { key: 'since', value: '2020-05-01' },
        { key: 'language', value: 'Spanish' },
      ],
    });
    await add(owner, 32, { name: 'Ben' });
    const asked = (rules: [number, string, (string | number | boolean)?][]) =>
      Promise.all(
        rules.map(([id, op, value]) =>
          fits(owner, { field: `custom:${id}`, op, ...(value === undefined ? {} : { value }) }),
        ),
      );
    expect(
      await asked([
        [70, 'is', 'New'],
        [70, 'is', 'Won'],
        [70, 'is_not', 'New'],
        [70, 'is_not', 'Won'],
        [71, 'is', 100],
        [71, 'above', 100],
        [71, 'below', 500],
      ]),
    ).toEqual([['Ben'], ['Ann'], ['Ann'], ['Ben'], ['Ben'], ['Ann'], ['Ben']]);
    expect(
      await asked([
        [72, 'is', false],
        [72, 'is', true],
        [73, 'after', '2025-01-01'],
        [73, 'before', '2025-01-01'],
        [74, 'is', 'english'],
        [74, 'contains', 'span'],
        [74, 'not_contains', 'span'],
      ]),
    ).toEqual([['Ben'], ['Ann'], ['Ben'], ['Ann'], ['Ben'], ['Ann'], ['Ben']]);
    expect(
      await asked(
        [70, 71, 73, 74].flatMap(
          (id) =>
            [
              [id, 'empty'],
              [id, 'filled'],
            ] as [number, string][],
        ),
      ),
    ).toEqual(Array.from({ length: 4 }, () => [[], ['Ann', 'Ben']]).flat());
    // The list's filters and groups with a rule match the same contacts.
    expect(
      (
        await app.as(owner).request(contract.listContacts, { query: { eav: { worth: '..500' } } })
      ).body.data.map((c) => c.name),
    ).toEqual(['Ben']);
    const { body } = await make(owner, {
      name: 'New ones',
      virtual: true,
      rule: { all: [{ field: 'custom:70', op: 'is', value: 'New' }] },
    });
    expect(body.data.contactCount).toBe(1);
    await app.as(owner).request(contract.updateContact, {
      params: {
        contactId: (
          await app.as(owner).request(contract.listContacts, { query: { search: 'Ann' } })
        ).body.data[0]!.id,
      },
      body: { eavAttributeValues: [{ key: 'stage', value: null }] },
    });
    expect((await get(owner, body.data.id)).contactCount).toBe(2);
  });
});

/** A group's stored counts and the actual ones. */
async function recount(companyId: number, groupId: number) {
  return (
    await app.services.db.transaction({ companyId }, (tx) =>
      sql<{
        total: number;
        invalid: number;
        unsubscribed: number;
      }>`select count(*)::int total, count(*) filter (where c.invalid)::int invalid,
        count(*) filter (where c.unsubscribed_at is not null and not c.invalid)::int unsubscribed
    from contact c where c.company_id = ${companyId}
      and c.deleted_at is null and (${groupId}::bigint = 0
        or exists (select from contact_group_member m where m.company_id = c.company_id
          and m.contact_id = c.id and m.group_id = ${groupId}::bigint))`.execute(tx),
    )
  ).rows[0]!;
}

test('counts stay right under concurrent changes', async () => {
  const { company, owner } = await app.createCompany();
  const people = await Promise.all(Array.from({ length: 24 }, (_, i) => add(owner, 100 + i)));
  const [a, b] = [
    (await make(owner, { name: 'A', contacts: people.slice(0, 12).map((p) => p.id) })).body.data.id,
    (await make(owner, { name: 'B' })).body.data.id,
  ];
  let seed = 7;
  const dice = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % n;
  };
  const ledger = (number: string, how: typeof optOut | typeof optIn) =>
    inCompany(company.id).transaction((t) =>
      how(t, { number, source: 'manual', numberId: null, proof: null }),
    );
  const straight = (work: Parameters<typeof app.services.db.transaction>[1]) =>
    app.services.db.transaction({ companyId: company.id }, work);
  const acts = [
    (p: (typeof people)[number]) =>
      app.as(owner).request(groups.addToGroup, {
        params: { id: dice(2) ? a : b },
        body: {
          contacts: people
            .slice(dice(12), 12 + dice(12))
            .map((x) => x.id)
            .concat(p.id),
        },
      }),
    (p: (typeof people)[number]) =>
      app.as(owner).request(groups.removeFromGroup, {
        params: { id: dice(2) ? a : b },
        body: { contacts: [p.id] },
      }),
    (p: (typeof people)[number]) => ledger(p.number, optOut),
    (p: (typeof people)[number]) => ledger(p.number, optIn),
    (p: (typeof people)[number]) =>
      app.as(owner).request(contract.deleteContact, { params: { contactId: p.id } }),
    (p: (typeof people)[number]) =>
      app.as(owner).request(contract.restoreContact, { params: { contactId: p.id }, body: {} }),
    (p: (typeof people)[number]) =>
      straight((tx) =>
        tx
          .updateTable('contact')
          .set({ invalid: dice(2) === 1, unsubscribed_at: dice(2) ? new Date() : null })
          .where('company_id', '=', company.id)
          .where('id', '=', p.id)
          .execute(),
      ),
    (p: (typeof people)[number]) =>
      app.as(owner).request(contract.updateContact, {
        params: { contactId: p.id },
        body: { groups: [[], [a], [b], [a, b]][dice(4)] },
      }),
    () =>
      inCompany(company.id).transaction((t) =>
        addToGroups(
          t,
          people.map((x) => ({ contactId: x.id, groupId: b })),
        ),
      ),
    () =>
      app.as(owner).request(contract.bulkDestroyContacts, {
        params: { companyId: company.id },
        body: { contacts: people.slice(dice(12), 12 + dice(12)).map((x) => x.id) },
      }),
    () => app.services.db.systemTransaction((tx) => compactCounts(tx)),
  ] as const;
  for (let round = 0; round < 14; round++)
    await Promise.all(
      Array.from({ length: 8 }, () => acts[dice(acts.length)]!(people[dice(people.length)]!)),
    );
  await app.drainJobs();
  for (const id of [a, b]) {
    const { contactCount, invalidCount, unsubscriberCount, activeCount } = await get(owner, id);
    const there = await recount(company.id, id);
    expect({ total: contactCount, invalid: invalidCount, unsubscribed: unsubscriberCount }).toEqual(
      there,
    );
    expect(activeCount).toBe(there.total - there.invalid - there.unsubscribed);
  }
  const whole = (
    await app
      .as(owner)
      .request(contract.countContacts, { params: { companyId: company.id }, body: {} })
  ).body.data;
  const there = await recount(company.id, 0);
  expect(whole).toMatchObject({
    total: there.total,
    invalid: there.invalid,
    unsubscribed: there.unsubscribed,
  });
  await app.services.db.systemTransaction((tx) => compactCounts(tx));
  expect((await get(owner, a)).contactCount).toBe((await recount(company.id, a)).total);
}, 180_000);
