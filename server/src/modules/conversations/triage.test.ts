import { describe, expect, test } from 'vitest';
import { conversations as contract, type Body } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const bulk = (
  who: TestPerson,
  ids: number[],
  type: Body<typeof contract.bulkUpdateConversations>['type'],
) =>
  app.as(who).request(contract.bulkUpdateConversations, {
    params: { companyId: who.companyId },
    body: { ids, type },
  });
async function withTexts(count: number) {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  const phone = uniquePhone();
  for (let i = 0; i < count; i++) await inbox.text(phone, number.number, `text ${i}`);
  const [conversation] = (await inbox.list(owner)).data;
  const unread = async () => await inbox.list(owner, { isArchived: 0, counts: 1 });
  return { company, owner, number, phone, id: conversation!.id, unread };
}

describe('reading', () => {
  test('read items no longer count as unread on the conversation, in the counts and on the number', async () => {
    const t = await withTexts(3);
    const numberUnread = async () =>
      (await app.as(t.owner).inject({ method: 'GET', url: `/api/numbers/${t.number.id}` })).body
        .data.unread_messages_count as number;
    expect((await t.unread()).meta).toMatchObject({
      counts: { total: 3, unread: { messages: 3 }, byNumber: { [t.number.id]: { messages: 3 } } },
    });
    expect(await numberUnread()).toBe(3);
    const [newest] = await inbox.items(t.owner, t.id);
    const at = { companyId: t.company.id, id: t.id, itemId: newest!.id };
    await app.as(t.owner).request(contract.readItem, { params: at });
    expect((await t.unread()).data[0]!.numUnreadItems).toBe(2);
    expect(
      (await app.as(t.owner).request(contract.readConversation, { params: at })).body.data
        .numUnreadItems,
    ).toBe(0);
    expect(await numberUnread()).toBe(0);
    expect((await t.unread()).meta).toMatchObject({ counts: { total: 0 } });
    await app.as(t.owner).request(contract.unreadItem, { params: at });
    expect((await t.unread()).data[0]!.numUnreadItems).toBe(1);
    expect((await bulk(t.owner, [t.id], 'read')).body.data.updated).toEqual([t.id]);
    expect((await bulk(t.owner, [t.id], 'unread')).body.data.updated).toEqual([t.id]);
    expect((await t.unread()).data[0]!.unread).toEqual({
      messages: 1,
      calls: 0,
      voicemails: 0,
      faxes: 0,
    });
  });

  test('marks all of one type or of some numbers, but never of numbers the user can’t see', async () => {
    const t = await withTexts(2);
    const other = await inbox.number(t.company.id);
    await inbox.text(uniquePhone(), other.number, 'for the other');
    const user = await app.createPerson(t.company.id, 'user', [t.number.id]);
    const readAll = (who: TestPerson, body: Record<string, unknown>) =>
      app
        .as(who)
        .request(contract.readAllByType, { params: { companyId: t.company.id }, body } as never);
    expect((await readAll(t.owner, { type: 'call' })).body.data).toEqual({
      items: 0,
      conversations: 0,
    });
    expect(
      (await readAll(user, { type: 'messages', numbers: [other.id, t.number.id] })).body.data,
    ).toEqual({ items: 2, conversations: 1 });
    expect((await readAll(t.owner, { type: 'all' })).body.data).toEqual({
      items: 1,
      conversations: 1,
    });
  });
});

describe('deleting', () => {
  test('is for administrators, not users; it is audited, and the list shows the rest', async () => {
    const t = await withTexts(2);
    const user = await app.createPerson(t.company.id, 'user');
    const admin = await app.createPerson(t.company.id, 'administrator');
    const [newest, older] = await inbox.items(t.owner, t.id);
    const at = { companyId: t.company.id, id: t.id, itemId: newest!.id };
    expect((await app.as(user).request(contract.deleteItem, { params: at })).status).toBe(403);
    expect((await bulk(user, [t.id], 'delete')).status).toBe(403);
    expect((await app.as(admin).request(contract.deleteItem, { params: at })).status).toBe(204);
    expect((await app.as(admin).request(contract.deleteItem, { params: at })).status).toBe(404);
    expect((await t.unread()).data[0]).toMatchObject({
      numUnreadItems: 1,
      latestItem: { id: older!.id },
    });
    const { rows } = await app.services.db.pool.query(
      `select action, subject, actor_id from audit_log where company_id = $1`,
      [t.company.id],
    );
    expect(rows).toContainEqual({
      action: 'item.deleted',
      subject: `item:${newest!.id}`,
      actor_id: admin.id,
    });
  });

  test('messages are deleted, notes stay; a deleted conversation returns empty when the party writes again', async () => {
    const t = await withTexts(2);
    await app.as(t.owner).request(contract.addNote, {
      body: {
        company_id: t.company.id,
        model_type: 'conversation',
        model_id: t.id,
        body: 'Likes mornings',
      },
    });
    expect(
      (
        await app.as(t.owner).request(contract.deleteMessages, {
          params: { companyId: t.company.id, id: t.id },
        })
      ).status,
    ).toBe(204);
    expect((await inbox.items(t.owner, t.id)).map((i) => i.kind)).toEqual(['note']);
    expect((await t.unread()).data[0]).toMatchObject({ latestItem: null, numUnreadItems: 0 });
    expect((await bulk(t.owner, [t.id], 'delete')).body.data.updated).toEqual([t.id]);
    expect((await t.unread()).data).toEqual([]);
    await inbox.text(t.phone, t.number.number, 'Me again');
    expect((await t.unread()).data[0]).toMatchObject({ id: t.id, numUnreadItems: 1 });
    expect((await inbox.items(t.owner, t.id)).map((i) => i.kind)).toEqual(['message']);
  });

  test('a deleted text that waits for the carrier is never sent', async () => {
    const t = await withTexts(1);
    const sent = await inbox.send(t.owner, { conversationId: t.id, message: 'Oops' });
    await app
      .as(t.owner)
      .request(contract.deleteMessages, { params: { companyId: t.company.id, id: t.id } });
    await app.drainJobs();
    expect([sent.status, await inbox.received(t.phone)]).toEqual([201, []]);
  });
});

describe('blocking from the inbox', () => {
  test('blocks the caller for the company, notes it in the thread, and unblocks again', async () => {
    const t = await withTexts(1);
    expect((await bulk(t.owner, [t.id], 'block')).body.data.updated).toEqual([t.id]);
    expect((await bulk(t.owner, [t.id], 'block')).body.data.unchanged).toEqual([t.id]);
    await app.drainJobs();
    expect((await t.unread()).data[0]).toMatchObject({ isBlocked: true, whyNotText: 'blocked' });
    await bulk(t.owner, [t.id], 'unblock');
    await app.drainJobs();
    expect(
      (await inbox.items(t.owner, t.id))
        .filter((i) => i.kind === 'block')
        .map((i) => i.kind === 'block' && i.details.action),
    ).toEqual([0, 1]);
    expect((await t.unread()).data[0]).toMatchObject({ isBlocked: false, whyNotText: null });
  });

  test('a user limited to some numbers blocks for those only', async () => {
    const t = await withTexts(1);
    const other = await inbox.number(t.company.id);
    const user = await app.createPerson(t.company.id, 'user', [t.number.id]);
    await bulk(user, [t.id], 'block');
    await inbox.text(t.phone, other.number, 'Hello there');
    const shown = (await inbox.list(t.owner)).data;
    expect(shown.map((c) => [c.number.id, c.isBlocked]).sort()).toEqual(
      [
        [t.number.id, true],
        [other.id, false],
      ].sort(),
    );
  });
});
