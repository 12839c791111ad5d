import { afterEach, expect, test } from 'vitest';
import { contacts as contract, conversations, groups, timeline, triggers } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { noFaults, setFaults } from '../../../adapters/sandbox/fault-injection.ts';
import { findOrCreateContact } from '../../contacts/index.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
afterEach(() => {
  setFaults(noFaults);
});
const read = async (who: TestPerson, contactId: number, query: object = {}) =>
  (await app.as(who).request(timeline.contactTimeline, { params: { contactId }, query: query }))
    .body;
const idOf = async (companyId: number, n: string) =>
  (await inbox.inCompany(companyId).transaction((t) => findOrCreateContact(t, n)))!.id;

test('a contact’s timeline has all items of the numbers that the user sees, page by page', async () => {
  const { company, owner } = await app.createCompany();
  const [desk, back] = [await inbox.number(company.id), await inbox.number(company.id)];
  const [one, two] = ['+12125550171', '+12125550172'];
  await inbox.text(one, desk.number, 'hello desk');
  await inbox.text(one, back.number, 'hello back');
  await inbox.text(two, desk.number, 'STOP');
  await app.drainJobs();
  const [dana, other] = [await idOf(company.id, one), await idOf(company.id, two)];
  await app.as(owner).request(conversations.addNote, {
    body: { model_type: 'contact', model_id: dana, body: 'Prefers mornings.' },
  });
  const merged = (
    await app
      .as(owner)
      .request(contract.mergeContacts, { params: { id: dana }, body: { with: other } })
  ).body.data;
  await app.drainJobs();
  const all = await read(owner, dana);
  expect(all.data.map((e) => e.item?.kind ?? e.kind).sort()).toEqual([
    'added',
    'merged',
    'message',
    'message',
    'message',
    'message',
    'note',
    'opted_out',
  ]);
  expect(all.data.find((e) => e.kind === 'merged')).toMatchObject({
    mergeId: merged.mergeId,
    number: two,
    undoneAt: null,
  });
  expect(all.data.find((e) => e.kind === 'opted_out')).toMatchObject({
    number: two,
    text: 'keyword',
  });
  const pages: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await read(owner, dana, { perPage: 2, ...(cursor ? { cursor } : {}) });
    pages.push(...page.data.map((e) => e.id));
    cursor = page.meta.next_cursor;
  }
  expect(pages).toEqual(all.data.map((e) => e.id));
  const user = await app.createPerson(company.id, 'user', [back.id]);
  expect((await read(user, dana)).data.filter((e) => e.item).map((e) => e.item!.number.id)).toEqual(
    [back.id],
  );
  expect(
    (
      await app
        .as((await app.createCompany()).owner)
        .request(timeline.contactTimeline, { params: { contactId: dana } })
    ).status,
  ).toBe(404);
});

test('a contact who texts a keyword joins its groups and gets its labels; only existing ones can be chosen', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const group = (await app.as(owner).request(groups.createGroup, { body: { name: 'Club' } })).body
    .data;
  const label = (
    await app.as(owner).request(groups.createContactLabel, {
      params: { companyId: owner.companyId },
      body: { label: 'Joined' },
    })
  ).body.data;
  const virtual = (await app.as(owner).request(groups.listGroups)).body.data[0]!;
  const set = (more: object) =>
    app.as(owner).request(triggers.updateTriggers, {
      params: { id: number.id },
      body: { upsert: [{ keyword: 'CLUB', ...more }] },
    });
  expect([
    (await set({ group_ids: [999] })).status,
    (await set({ group_ids: [virtual.id] })).status,
    (await set({ label_ids: [999] })).status,
  ]).toEqual([422, 422, 422]);
  expect((await set({ group_ids: [group.id], label_ids: [label.id] })).body.data[0]).toMatchObject({
    group_ids: [group.id],
    label_ids: [label.id],
  });
  await inbox.text('+12125550173', number.number, 'club');
  await app.drainJobs();
  const found = (
    await app.as(owner).request(contract.listContacts, { query: { groupId: group.id } })
  ).body.data;
  expect(found.map((c) => [c.number, c.source, c.labels.map((l) => l.label)])).toEqual([
    ['+12125550173', 'keyword', ['Joined']],
  ]);
  expect(
    (await app.as(owner).request(groups.getGroup, { params: { id: group.id } })).body.data
      .contactCount,
  ).toBe(1);
});

test('a number that the carrier fails to find twice is invalid, until it texts again', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const phone = '+12125550174';
  const dana = await idOf(company.id, phone);
  const state = async () =>
    (await app.as(owner).request(contract.getContact, { params: { contactId: dana } })).body.data
      .invalid;
  const seen: boolean[] = [];
  // The sandbox's phone would reply too, and perhaps first.
  setFaults({ lateReceiptsMs: 600_000 });
  for (let i = 0; i < 2; i++) {
    const sent = (await inbox.send(owner, { numberId: number.id, to: phone, message: `try ${i}` }))
      .body.data;
    await inbox.receipt(`m.${company.id}.${sent.id}`, 'undelivered', { code: 'landline' });
    await app.drainJobs();
    seen.push(await state());
  }
  await inbox.text(phone, number.number, 'I am here');
  await app.drainJobs();
  expect([...seen, await state()]).toEqual([false, true, false]);
});
