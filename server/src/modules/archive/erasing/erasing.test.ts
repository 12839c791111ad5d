import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { calls, contacts, erasing as contract } from '#contract';
import { createCallHarness } from '../../../../test/support/call-harness.ts';
import { inboxHelpers, uniquePhone } from '../../../../test/support/inbox.ts';
import { companyThatKnows } from '../../../../test/support/known-person.ts';
import { leaveTraces } from '../../../../test/support/person-traces.ts';
import type { TestPerson } from '../../../../test/support/test-app.ts';
import { runErasure } from './run-erasure.ts';
import { whatStays } from './what-stays.ts';

const line = await createCallHarness();
const { world: app } = line;
const inbox = inboxHelpers(app);
afterAll(() => app.stopJobs());
const db = app.services.db.unscoped;
const aCompany = (phone: string) => companyThatKnows(line, phone);

/** Every column of text, JSON or lists in the database, but of what databases keep themselves. */
const columns = async () =>
  (
    await sql<{ schema: string; table: string; column: string; has_company: boolean }>`
      select n.nspname as schema, c.relname as table, a.attname as column,
        exists (select from pg_attribute x where x.attrelid = c.oid and x.attname = 'company_id'
          and not x.attisdropped) as has_company
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
        and format_type(a.atttypid, null) in ('text', 'jsonb', 'json', 'text[]', 'tsvector',
          'character varying')
        and has_table_privilege(c.oid, 'select')
      order by 1, 2, a.attnum`.execute(db)
  ).rows;

/** The columns in which one of these words stands, in rows of this company or of none. */
async function found(companyId: number, words: readonly string[]): Promise<string[]> {
  const places: string[] = [];
  for (const { schema, table, column, has_company } of await columns()) {
    const { rows } = await sql<{ is: boolean }>`select exists (
      select from ${sql.table(`${schema}.${table}`)} where
      ${has_company ? sql`company_id = ${companyId}` : sql`true`}
      and lower(${sql.ref(column)}::text) like any(${words.map(
        (word) => `%${word.toLowerCase()}%`,
      )}::text[])) as is`.execute(db);
    if (rows[0]!.is) places.push(`${table}.${column}`);
  }
  return places;
}
/** The person's number as stored and as written, and the name, which is in the email, too. */
const words = (phone: string) => [
  phone.slice(1),
  `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`,
  'quillfeather',
];
const erase = async (who: TestPerson, params: { contactId: number }) => {
  const { status, body } = await app.as(who).request(contract.erasePerson, { params });
  return [status, (body as { code?: string }).code];
};

test('an erased person is nowhere in the database but where the list says, and others stay', async () => {
  const phone = uniquePhone();
  const [mine, theirs] = [await aCompany(phone), await aCompany(phone)];
  for (const one of [mine, theirs]) await leaveTraces(line, phone, one);
  const before = await found(mine.company.id, words(phone));
  expect(before).toEqual(
    expect.arrayContaining([
      ...['contact.number', 'call.party', 'note.body', 'fax.name', 'tracking_visit.url'],
      ...['tracking_visit.captured', 'campaign_recipient.reply', 'campaign_batch.texts'],
      ...['delivery.request_redacted', 'delivery_attempt.error', 'contact_import_chunk.rows'],
      ...['batch.errors', 'field_value.text_value', 'call_leg.target', 'call_history.detail'],
    ]),
  );
  // Changes of callers are added up and deleted by a job of every minute.
  const others = async () =>
    (await found(theirs.company.id, words(phone))).filter((one) => one !== 'caller_change.party');
  const kept = await others();

  const preview = await app.as(mine.owner).request(contract.previewErasure, mine);
  expect(preview.body).toMatchObject({
    data: {
      numbers: expect.arrayContaining([phone]),
      hold: null,
      goes: { calls: 1, texts: 1, notes: 1, faxes: 1, visits: 1 },
    },
  });
  const files = async (companyId: number) =>
    (
      await sql<{ n: number }>`select count(*)::int as n from file where company_id = ${companyId}
        and deleted_at is null`.execute(db)
    ).rows[0]!.n;
  const theirFiles = await files(theirs.company.id);
  expect(await erase(mine.owner, mine.params)).toEqual([202, undefined]);
  await app.drainJobs();

  const places = new Set(whatStays.flatMap((one) => one.places));
  expect((await found(mine.company.id, words(phone))).filter((one) => !places.has(one))).toEqual(
    [],
  );
  expect(await files(mine.company.id)).toBe(0);
  expect(
    (await app.as(mine.owner).request(contacts.getContact, mine)).status,
    'the contact is gone',
  ).toBe(404);
  expect(await others()).toEqual(kept);
  const { rows: hashes } = await sql<{ n: number }>`select count(*)::int as n from erased_number
    where company_id = ${mine.company.id}`.execute(db);
  // Their number, and that of the contact merged into theirs.
  expect(hashes).toEqual([{ n: 2 }]);
  expect(await files(theirs.company.id)).toBe(theirFiles);
  const { rows } = await sql<{ action: string }>`select action from audit_log
    where company_id = ${mine.company.id} and action like 'person.%' order by id`.execute(db);
  expect(rows.map((row) => row.action)).toEqual(['person.erasure_begun', 'person.erased']);
});

test('a hold that begins while a person is erased stops what is left', async () => {
  const mine = await aCompany(uniquePhone());
  const body = { reason: 'Case 26-1183' };
  await app.as(mine.owner).request(contract.holdPerson, { params: mine.params, body });
  // As one that was started before the hold.
  const { rows } = await sql<{ id: string }>`insert into batch (company_id, kind, input, total)
    values (${mine.company.id}, 'erase-person', ${JSON.stringify(mine.params)}::jsonb, 4)
    returning id`.execute(db);
  await runErasure(inbox.inCompany(mine.company.id), rows[0]!.id, { last: false });
  expect((await app.as(mine.owner).request(contacts.getContact, mine)).status).toBe(200);
  expect(
    (await app.as(mine.owner).request(calls.getCall, { params: { id: mine.callId } })).status,
  ).toBe(200);
  const after = await sql<{ failed: number }>`select failed from batch
    where id = ${rows[0]!.id}::uuid`.execute(db);
  expect(after.rows).toEqual([{ failed: 1 }]);
});

/** The row of an erasure that was started, and whose job hasn't run. */
const begun = async ({ company, params }: Awaited<ReturnType<typeof aCompany>>) =>
  (
    await sql<{ id: string }>`insert into batch (company_id, kind, input, total)
      values (${company.id}, 'erase-person', ${JSON.stringify(params)}::jsonb, 4)
      returning id`.execute(db)
  ).rows[0]!.id;

test('a person is erased once at a time; one that failed says what to do and can be tried again', async () => {
  const mine = await aCompany(uniquePhone());
  const as = app.as(mine.owner);
  const batchId = await begun(mine);
  const state = async () => (await as.request(contract.getErasureState, mine)).body;
  expect(await state()).toEqual({
    data: { hold: null, erasure: { batchId, progress: 0, failure: null } },
  });
  expect(await erase(mine.owner, mine.params)).toEqual([409, 'person.erasing']);

  const talking = (isOn: boolean) =>
    sql`update call set ended_at = ${isOn ? null : app.clock.value}::timestamptz
      where id = ${mine.callId}`.execute(db);
  await talking(true);
  const ctx = inbox.inCompany(mine.company.id);
  await expect(runErasure(ctx, batchId, { last: false })).rejects.toThrow('on a call');
  expect(await state()).toMatchObject({ data: { erasure: { failure: null } } });
  await runErasure(ctx, batchId, { last: true });
  const failure = expect.stringContaining('Erase the person again to delete the rest.');
  expect(await state()).toMatchObject({ data: { erasure: { batchId, failure } } });
  const progress = { params: { companyId: mine.company.id, batchId } };
  expect((await as.request(contract.erasureProgress, progress)).body).toMatchObject({
    data: { id: batchId, finishedAt: app.clock.value.toISOString(), failure },
  });

  await talking(false);
  expect(await erase(mine.owner, mine.params)).toEqual([202, undefined]);
  await app.drainJobs();
  expect((await as.request(contract.getErasureState, mine)).status).toBe(404);
  const { rows } = await sql<{ event: string; data: { progress: number } }>`
    select event, data from outbox where company_id = ${mine.company.id}
    and event like 'erasure-%' order by id`.execute(db);
  expect(rows.map(({ event, data }) => [event, data.progress])).toEqual([
    ['erasure-completed', 25],
    ...[0, 25, 50, 75].map((percent) => ['erasure-progress', percent]),
    ['erasure-completed', 100],
  ]);
});
