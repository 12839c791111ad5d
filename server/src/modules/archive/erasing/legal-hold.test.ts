import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { calls, contacts, conversations, erasing as contract, settings } from '#contract';
import { createCallHarness } from '../../../../test/support/call-harness.ts';
import { inboxHelpers, uniquePhone } from '../../../../test/support/inbox.ts';
import { companyThatKnows } from '../../../../test/support/known-person.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import { deleteExpiredRecordings } from '../../calls/recordings/recording-retention.ts';
import { purgeDeleted } from '../../contacts/store-trash.ts';
import { deleteOldRecords } from '../../conversations/keeping/delete-old.ts';

const line = await createCallHarness();
const { world: app } = line;
const inbox = inboxHelpers(app);
afterAll(() => app.stopJobs());
const db = app.services.db.unscoped;
const aCompany = (phone: string) => companyThatKnows(line, phone);
type Company = Awaited<ReturnType<typeof aCompany>>;

const erase = async (who: TestPerson, params: { contactId: number }) => {
  const { status, body } = await app.as(who).request(contract.erasePerson, { params });
  return [status, (body as { code?: string }).code];
};
const hold = async ({ owner, params }: Company) => {
  const body = { reason: 'Case 26-1182' };
  expect((await app.as(owner).request(contract.holdPerson, { params, body })).status).toBe(200);
};
const endHold = async ({ owner, params }: Company) =>
  expect((await app.as(owner).request(contract.endLegalHold, { params })).status).toBe(204);
const ids = async (company: Company, query: string) =>
  (
    await sql<{ id: number }>`select id from ${sql.raw(query)} and company_id = ${
      company.company.id
    } order by id`.execute(db)
  ).rows.map((row) => row.id);

test('a legal hold stops erasing and deleting by age until it ends', async () => {
  const mine = await aCompany(uniquePhone());
  const as = app.as(mine.owner);
  const body = { reason: 'Case 26-1182' };
  expect((await as.request(contract.holdPerson, { params: mine.params, body })).status).toBe(200);
  expect(await erase(mine.owner, mine.params)).toEqual([409, 'person.held']);
  await as.request(settings.updateGeneralSettings, {
    query: { company_id: mine.company.id },
    body: { message_retention_days: 30, call_retention_days: 30 },
  });
  app.clock.advance(40 * 86_400);
  await deleteOldRecords(inbox.inCompany(1));
  const texts = async () =>
    (
      await sql<{ n: number }>`select count(*)::int as n from conversation_item
        where company_id = ${mine.company.id} and kind = 'message'`.execute(db)
    ).rows[0]!.n;
  const call = () => as.request(calls.getCall, { params: { id: mine.callId } });
  expect([await texts(), (await call()).status]).toEqual([1, 200]);
  expect((await as.request(contract.endLegalHold, mine)).status).toBe(204);
  await deleteOldRecords(inbox.inCompany(1));
  expect([await texts(), (await call()).status]).toEqual([0, 404]);
  expect(await erase(mine.owner, mine.params)).toEqual([202, undefined]);
});

test('everyone who sees a contact sees its hold, and people who can erase see the reason', async () => {
  const mine = await aCompany(uniquePhone());
  const body = { reason: 'Case 26-1184' };
  await app.as(mine.owner).request(contract.holdPerson, { params: mine.params, body });
  const reader = await app.createPerson(mine.company.id, 'user');
  const seen = async (who: TestPerson) =>
    ((await app.as(who).request(contract.getErasureState, mine)).body as { data: { hold: object } })
      .data.hold;
  expect(await seen(mine.owner)).toMatchObject({ reason: 'Case 26-1184' });
  expect(await seen(reader)).toMatchObject({ reason: null, by: expect.any(String) });
  expect(await erase(reader, mine.params)).toEqual([403, 'role.forbidden']);
});

test('what a held person said, wrote and left can’t be deleted by hand, and a stranger’s can', async () => {
  const phone = uniquePhone();
  const [mine, theirs] = [await aCompany(phone), await aCompany(phone)];
  await hold(mine);
  const answers = async (one: Company) => {
    const companyId = one.company.id;
    const [conversation] = await ids(one, `conversation where true`);
    const [text] = await ids(one, `conversation_item where kind = 'message'`);
    const [voicemail] = await ids(one, `conversation_item where kind = 'voicemail'`);
    const [note] = await ids(one, `note where model_type = 'call'`);
    const as = app.as(one.owner);
    const of = { companyId, id: conversation! };
    const all = [
      await as.request(calls.deleteRecording, { params: { id: one.callId } }),
      await as.request(conversations.deleteItem, { params: { ...of, itemId: text! } }),
      await as.request(conversations.deleteItem, { params: { ...of, itemId: voicemail! } }),
      await as.request(conversations.deleteMessages, { params: of }),
      await as.request(conversations.deleteNote, { params: { id: note! } }),
      await as.request(conversations.bulkUpdateConversations, {
        params: { companyId },
        body: { ids: [conversation!], type: 'delete' },
      }),
      await as.request(contacts.bulkDestroyContacts, {
        params: { companyId },
        body: { contacts: [one.params.contactId] },
      }),
      await as.request(contacts.restoreContact, one),
      await as.request(contacts.deleteContact, one),
    ];
    return all.map(({ status, body }) => [status, (body as { code?: string } | null)?.code]);
  };
  const kept = [409, 'hold.keeps'];
  const keptSome = [409, 'hold.keeps_some'];
  expect(await answers(mine)).toEqual([
    ...[kept, kept, kept, kept, kept],
    ...[keptSome, keptSome, [200, undefined], kept],
  ]);
  const done = (await answers(theirs)).map(([status]) => status);
  expect(done).toEqual([204, 204, 204, 204, 204, 200, 200, 200, 204]);
  await endHold(mine);
  expect((await answers(mine)).map(([status]) => status)).toEqual(done);
});

test('deleting all that match leaves held people', async () => {
  const mine = await aCompany(uniquePhone());
  const params = { companyId: mine.company.id };
  const as = app.as(mine.owner);
  await as.request(contacts.createContact, {
    query: { company_id: mine.company.id },
    body: { number: uniquePhone(), name: 'Someone else' },
  });
  await hold(mine);
  const destroyed = await as.request(contacts.bulkDestroyContacts, { params, body: { all: true } });
  expect(destroyed.body).toMatchObject({ data: { total: 2, changed: 1 } });
  expect(await ids(mine, 'contact where deleted_at is null')).toEqual([mine.params.contactId]);
});

test('a held person’s recordings and deleted contact outlast their age', async () => {
  const mine = await aCompany(uniquePhone());
  const as = app.as(mine.owner);
  // Deleted before the hold began.
  expect((await as.request(contacts.deleteContact, mine)).status).toBe(204);
  await hold(mine);
  await sql`update recording set delete_after = ${app.clock.value}, state = 'ready'
    where company_id = ${mine.company.id}`.execute(db);
  app.clock.advance(40 * 86_400);
  const clean = async () => {
    await deleteExpiredRecordings(inbox.inCompany(1));
    await inbox
      .inCompany(mine.company.id)
      .transaction((t) => purgeDeleted(t.tx, t.companyId, t.now, 500));
    return [
      (await ids(mine, `recording where state <> 'deleted'`)).length,
      (await ids(mine, 'contact where true')).length,
    ];
  };
  expect(await clean()).toEqual([1, 1]);
  await endHold(mine);
  expect(await clean()).toEqual([0, 0]);
});
