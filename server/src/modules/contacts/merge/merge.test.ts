import { expect, test } from 'vitest';
import { contacts as contract, conversations, groups, type Body } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { findOrCreateContact } from '../index.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const add = async (who: TestPerson, number: string, body: object = {}) =>
  (await app.as(who).request(contract.createContact, { body: { number, ...body } })).body.data;
const merge = (who: TestPerson, id: number, body: Body<typeof contract.mergeContacts>) =>
  app.as(who).request(contract.mergeContacts, { params: { id }, body });
const get = async (who: TestPerson, contactId: number) =>
  (await app.as(who).request(contract.getContact, { params: { contactId } })).body.data;

test('a merge keeps everything of both contacts, and can be undone', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const [one, two] = ['+12125550121', '+12125550122'];
  await inbox.text(one, number.number, 'hello');
  await inbox.text(two, number.number, 'hello again');
  await app.drainJobs();
  const idOf = async (n: string) =>
    (await inbox.inCompany(company.id).transaction((t) => findOrCreateContact(t, n)))!.id;
  const [dana, other] = [await idOf(one), await idOf(two)];
  const label = (
    await app.as(owner).request(groups.createContactLabel, {
      params: { companyId: owner.companyId },
      body: { label: 'VIP' },
    })
  ).body.data;
  const group = (
    await app
      .as(owner)
      .request(groups.createGroup, { body: { name: 'Both', contacts: [dana, other] } })
  ).body.data;
  await app.as(owner).request(contract.updateContact, {
    params: { contactId: dana },
    body: { name: 'Dana', email: 'dana@x.test' },
  });
  await app.as(owner).request(contract.updateContact, {
    params: { contactId: other },
    body: { name: 'Dana Reed', email: 'd@work.test', city: 'Boston', labels: [label.id] },
  });

  const preview = (
    await app.as(owner).request(contract.previewMerge, {
      params: { id: dana },
      query: { with: other, choose: { name: 'with' } },
    })
  ).body.data;
  expect(preview.merged).toMatchObject({
    name: 'Dana Reed',
    alternativeNames: ['Dana'],
    email: 'dana@x.test',
    secondaryEmails: ['d@work.test'],
    city: 'Boston',
    number: one,
    otherNumbers: [two],
    labels: [{ label: 'VIP' }],
  });
  expect(preview.differing).toEqual(expect.arrayContaining(['name', 'number', 'email', 'city']));
  expect((await get(owner, dana)).name).toBe('Dana');

  const merged = (await merge(owner, dana, { with: other, choose: { name: 'with' } })).body.data;
  await app.drainJobs();
  expect(merged.contact).toEqual({ ...preview.merged, updatedAt: merged.contact.updatedAt });
  expect(
    (await app.as(owner).request(contract.getContact, { params: { contactId: other } })).status,
  ).toBe(404);
  expect(
    (await app.as(owner).request(groups.getGroup, { params: { id: group.id } })).body.data
      .contactCount,
  ).toBe(1);
  const withDana = async () =>
    (
      await app
        .as(owner)
        .request(conversations.listConversations, { params: { companyId: company.id } })
    ).body.data
      .map((c) => [c.recipient, c.contact?.id])
      .sort();
  expect(await withDana()).toEqual([
    [one, dana],
    [two, dana],
  ]);
  // A text from the other number belongs to this contact; no contact can be created with it.
  expect(await idOf(two)).toBe(dana);
  expect(
    (await app.as(owner).request(contract.createContact, { body: { number: two } })).status,
  ).toBe(409);
  expect(
    (
      await app
        .as(owner)
        .request(contract.restoreContact, { params: { contactId: other }, body: {} })
    ).status,
  ).toBe(409);

  await app.as(owner).request(contract.updateContact, {
    params: { contactId: dana },
    body: { city: 'Chicago' },
  });
  const undone = await app.as(owner).request(contract.undoMerge, {
    params: { id: dana, mergeId: merged.mergeId },
    body: {},
  });
  await app.drainJobs();
  // The city was changed after the merge, so the undo keeps it.
  expect(undone.body.data.contact).toMatchObject({
    id: dana,
    name: 'Dana',
    alternativeNames: [],
    secondaryEmails: [],
    city: 'Chicago',
    number: one,
    otherNumbers: [],
    labels: [],
  });
  expect(undone.body.data.other).toMatchObject({
    id: other,
    name: 'Dana Reed',
    city: 'Boston',
    number: two,
    labels: [{ label: 'VIP' }],
    groups: [{ id: group.id }],
  });
  expect(await withDana()).toEqual([
    [one, dana],
    [two, other],
  ]);
  expect(
    (await app.as(owner).request(groups.getGroup, { params: { id: group.id } })).body.data
      .contactCount,
  ).toBe(2);
  expect(
    (
      await app.as(owner).request(contract.undoMerge, {
        params: { id: dana, mergeId: merged.mergeId },
        body: {},
      })
    ).status,
  ).toBe(409);
});

test('a merged contact has the opt-out of the chosen number; a merge can be undone for 30 days', async () => {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const [a, b] = [
    await add(owner, '+12125550131', { name: 'A' }),
    await add(owner, '+12125550132', { name: 'B' }),
  ];
  await inbox.text(b.number, number.number, 'STOP');
  await app.drainJobs();
  expect((await merge(owner, a.id, { with: a.id })).status).toBe(422);
  const kept = (await merge(owner, a.id, { with: b.id, choose: { number: 'with' } })).body.data;
  await app.drainJobs();
  expect(await get(owner, a.id)).toMatchObject({
    number: b.number,
    otherNumbers: [a.number],
    isUnsubscribed: true,
  });
  await app.as(owner).request(contract.undoMerge, {
    params: { id: a.id, mergeId: kept.mergeId },
    body: {},
  });
  await app.drainJobs();
  expect([
    (await get(owner, a.id)).isUnsubscribed,
    (await get(owner, b.id)).isUnsubscribed,
    (await get(owner, a.id)).number,
  ]).toEqual([false, true, a.number]);
  // A chain of merges: numbers of the first move on with the second, and return by their own undo.
  const c = await add(owner, '+12125550133', { name: 'C' });
  const first = (await merge(owner, a.id, { with: b.id })).body.data;
  const second = (await merge(owner, c.id, { with: a.id })).body.data;
  expect(second.contact.otherNumbers).toEqual([a.number, b.number]);
  await app.as(owner).request(contract.undoMerge, {
    params: { id: c.id, mergeId: second.mergeId },
    body: {},
  });
  expect((await get(owner, a.id)).otherNumbers).toEqual([b.number]);
  app.clock.advance(31 * 86_400);
  expect(
    (
      await app.as(owner).request(contract.undoMerge, {
        params: { id: a.id, mergeId: first.mergeId },
        body: {},
      })
    ).body,
  ).toMatchObject({ code: 'contact.merge_old' });
});
