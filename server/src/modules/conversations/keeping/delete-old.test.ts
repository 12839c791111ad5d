import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { calls, settings } from '#contract';
import { createCallHarness, createTestNumber } from '../../../../test/support/call-harness.ts';
import { inboxHelpers, uniquePhone } from '../../../../test/support/inbox.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import { deleteOldRecords } from './delete-old.ts';

const line = await createCallHarness();
const { world: app } = line;
const inbox = inboxHelpers(app);
afterAll(() => app.stopJobs());

const set = async (who: TestPerson, values: object): Promise<void> => {
  const { status } = await app.as(who).request(settings.updateGeneralSettings, {
    query: { company_id: who.companyId },
    body: values,
  });
  expect(status).toBe(200);
};
const clean = () => deleteOldRecords(inbox.inCompany(1));

/** A company with a text and a voicemail of this party on this day, and another party's text. */
async function aCompany() {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, { routes: [{ type: 'voicemail' }] });
  const [dana, other] = [uniquePhone(), uniquePhone()];
  const leaveVoicemail = async () => {
    const call = line.aCall(number.number, dana);
    await call.tell(call.inbound);
    for (let i = 0; i < 4 && line.commands(call, 'record').length === 0; i++) {
      const prompt = line.commands(call, 'play').at(-1);
      if (prompt)
        await call.says(call.leg, {
          type: 'promptEnded',
          commandId: prompt.id,
          reason: 'done',
          digits: '',
        });
    }
    await call.says(call.leg, { type: 'legEnded', cause: 'hangup' });
    await app.drainJobs();
    return call.id();
  };
  const text = async (from: string, words: string) => {
    await inbox.text(from, number.number, words);
    await app.drainJobs();
  };
  const rows = async (table: string, where = 'true') =>
    (
      await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}
        where company_id = ${company.id} and ${sql.raw(where)}`.execute(app.services.db.unscoped)
    ).rows[0]!.n;
  return { company, owner, dana, other, leaveVoicemail, text, rows };
}
const days = (n: number) => app.clock.advance(n * 86_400);

test('texts older than a company keeps them are gone for good, with empty conversations', async () => {
  const [mine, theirs] = [await aCompany(), await aCompany()];
  for (const one of [mine, theirs]) {
    await one.text(one.dana, 'From long ago');
    await one.text(one.other, 'Only this');
  }
  days(31);
  await mine.text(mine.dana, 'From today');
  await clean();
  expect(await mine.rows('conversation_item', `kind = 'message'`)).toBe(3);
  await set(mine.owner, { message_retention_days: 30 });
  await clean();
  expect(await mine.rows('conversation_item', `kind = 'message'`)).toBe(1);
  const { data } = await inbox.list(mine.owner);
  expect(data).toHaveLength(1);
  expect(data[0]).toMatchObject({
    unread: { messages: 1 },
    recipient: mine.dana,
    latestItem: { details: { content: 'From today' } },
  });
  expect(await theirs.rows('conversation_item', `kind = 'message'`)).toBe(2);
  // Also what a person had deleted.
  await sql`update conversation_item set deleted_at = ${app.clock.value}
    where company_id = ${mine.company.id}`.execute(app.services.db.unscoped);
  days(31);
  await clean();
  expect(await mine.rows('conversation_item')).toBe(0);
  expect(await mine.rows('conversation')).toBe(0);
});

test('calls older than a company keeps them go with recordings, voicemails and their entries', async () => {
  const [mine, theirs] = [await aCompany(), await aCompany()];
  const [gone, kept] = [await mine.leaveVoicemail(), await theirs.leaveVoicemail()];
  await set(mine.owner, { call_retention_days: 7 });
  days(6);
  await clean();
  expect(await mine.rows('call')).toBe(1);
  const young = await mine.leaveVoicemail();
  days(2);
  await clean();
  const read = async (who: TestPerson, id: number) =>
    (await app.as(who).request(calls.getCall, { params: { id } })).status;
  expect(await read(mine.owner, gone)).toBe(404);
  expect(await read(mine.owner, young)).toBe(200);
  expect(await read(theirs.owner, kept)).toBe(200);
  for (const table of ['call_history', 'call_leg', 'recording', 'voicemail', 'call_search_text'])
    expect(await mine.rows(table, `call_id = ${gone}`), table).toBe(0);
  expect(await mine.rows('conversation_item', `details ->> 'callId' = '${gone}'`)).toBe(0);
  expect(await mine.rows('conversation_item', `source = 'call:${young}'`)).toBe(1);
});
