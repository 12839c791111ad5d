import { afterEach, expect, test } from 'vitest';
import { contacts as contract, conversations, groups, timeline, triggers } from '#contract';
import { aWorld, type TestPerson } from '../../../../test/world.ts';
import { noTrouble, setTrouble } from '../../../adapters/sandbox/trouble.ts';
import { findOrMakeContact } from '../../contacts/index.ts';
import { inboxOf } from '../test-inbox.ts';

const world = await aWorld();
const inbox = inboxOf(world);
afterEach(() => {
  setTrouble(noTrouble);
});
const read = async (who: TestPerson, contactId: number, query: object = {}) =>
  (
    await world
      .as(who)
      .ask(timeline.contactTimeline, { params: { contactId }, query: query as never })
  ).body;
const idOf = async (companyId: number, n: string) =>
  (await inbox.inCompany(companyId).transaction((t) => findOrMakeContact(t, n)))!.id;

test('a person’s timeline holds all that happened, from every number one may see, page by page', async () => {
  const { company, owner } = await world.company();
  const [desk, back] = [await inbox.number(company.id), await inbox.number(company.id)];
  const [one, two] = ['+12125550171', '+12125550172'];
  await inbox.text(one, desk.number, 'hello desk');
  await inbox.text(one, back.number, 'hello back');
  await inbox.text(two, desk.number, 'STOP');
  await world.settle();
  const [dana, other] = [await idOf(company.id, one), await idOf(company.id, two)];
  await world.as(owner).ask(conversations.addNote, {
    body: { model_type: 'contact', model_id: dana, body: 'Prefers mornings.' },
  } as never);
  const merged = (
    await world
      .as(owner)
      .ask(contract.mergeContacts, { params: { id: dana }, body: { with: other } } as never)
  ).body.data;
  await world.settle();
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
  const user = await world.person(company.id, 'user', [back.id]);
  expect((await read(user, dana)).data.filter((e) => e.item).map((e) => e.item!.number.id)).toEqual(
    [back.id],
  );
  expect(
    (
      await world
        .as((await world.company()).owner)
        .ask(timeline.contactTimeline, { params: { contactId: dana } })
    ).status,
  ).toBe(404);
});

test('who texts a keyword joins its groups and gets its labels; only those that are there can be named', async () => {
  const { company, owner } = await world.company();
  const number = await inbox.number(company.id);
  const group = (await world.as(owner).ask(groups.createGroup, { body: { name: 'Club' } } as never))
    .body.data;
  const label = (
    await world.as(owner).ask(groups.createContactLabel, { body: { label: 'Joined' } } as never)
  ).body.data;
  const virtual = (await world.as(owner).ask(groups.listGroups)).body.data[0]!;
  const set = (more: object) =>
    world.as(owner).ask(triggers.updateTriggers, {
      params: { id: number.id },
      body: { upsert: [{ keyword: 'CLUB', ...more }] },
    } as never);
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
  await world.settle();
  const found = (
    await world.as(owner).ask(contract.listContacts, { query: { groupId: group.id } } as never)
  ).body.data;
  expect(found.map((c) => [c.number, c.source, c.labels.map((l) => l.label)])).toEqual([
    ['+12125550173', 'keyword', ['Joined']],
  ]);
  expect(
    (await world.as(owner).ask(groups.getGroup, { params: { id: group.id } })).body.data
      .contactCount,
  ).toBe(1);
});

test('a number that the carrier cannot find twice is invalid, until it writes again', async () => {
  const { company, owner } = await world.company();
  const number = await inbox.number(company.id);
  const phone = '+12125550174';
  const dana = await idOf(company.id, phone);
  const state = async () =>
    (await world.as(owner).ask(contract.getContact, { params: { contactId: dana } })).body.data
      .invalid;
  const seen: boolean[] = [];
  // The sandbox's phone would answer for itself, and perhaps first.
  setTrouble({ lateReceiptsMs: 600_000 });
  for (let i = 0; i < 2; i++) {
    const sent = (await inbox.send(owner, { numberId: number.id, to: phone, message: `try ${i}` }))
      .body.data;
    await inbox.receipt(`m.${company.id}.${sent.id}`, 'undelivered', { code: 'landline' });
    await world.settle();
    seen.push(await state());
  }
  await inbox.text(phone, number.number, 'I am here');
  await world.settle();
  expect([...seen, await state()]).toEqual([false, true, false]);
});
