import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { exporting as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../../test/support/inbox.ts';
import { deleteExpiredExports } from './delete-expired-exports.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const { company, owner } = await app.createCompany();
const number = await inbox.number(company.id);
const second = await inbox.number(company.id);
const phone = uniquePhone();

beforeAll(async () => {
  await inbox.text(phone, number.number, '=HYPERLINK("http://evil.example","x")');
  await inbox.text(uniquePhone(), number.number, 'Line one\nline "two", three');
  await inbox.text(uniquePhone(), second.number, 'On the second number');
  await app.services.db.systemTransaction(async (tx) => {
    await sql`insert into call (company_id, id, number_id, outbound, carrier, from_number,
        to_number, party, status, outcome, started_at, duration_seconds, ring_seconds, talk_seconds,
        note, value_cents, answered_by)
      values (${company.id}, 501, ${number.id}, false, 'sandbox', ${phone}, ${number.number},
          ${phone}, 12, 1, '2026-07-01T12:30:00Z', 125, 5, 120, '-call back', 12345,
          '{"type":"user","id":1,"label":"Una User","number":null}')`.execute(tx);
    await sql`insert into conversation_item (company_id, conversation_id, number_id, kind,
        is_inbound, created_at, details, source)
      select company_id, id, number_id, 'call', true, '2026-07-01T12:30:00Z',
        '{"callId":501,"status":12,"outcome":1,"duration":125,"answeredBy":"Una User"}', 'call:501'
        from conversation where company_id = ${company.id} and party = ${phone}`.execute(tx);
  });
});

/** Requests an export, runs its job, downloads the file. */
async function exported(
  who: TestPerson,
  endpoint: typeof contract.exportMessages | typeof contract.exportCalls,
  body: Record<string, unknown> = {},
) {
  const begun = await app.as(who).request(endpoint, { body: { companyId: company.id, ...body } });
  expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  await app.drainJobs();
  const done = await app.as(who).request(contract.exportProgress, {
    params: { batchId: begun.body.data.batchId },
    query: { companyId: company.id },
  });
  const file = await app.server.inject({
    method: 'GET',
    url: done.body.data.resultUrl!,
    headers: { authorization: `Bearer ${who.token}` },
  });
  return { batch: done.body.data, file, begun: begun.body.data };
}
const table = (text: string) => parse(text, { bom: true }) as string[][];

test('messages are exported with the chosen columns in order, and formulas are escaped as text', async () => {
  const { batch, file } = await exported(owner, contract.exportMessages, {
    columns: ['content', 'party', 'direction'],
    tz: 'America/New_York',
  });
  expect(batch).toMatchObject({
    progress: 100,
    total: 3,
    processed: 3,
    failed: 0,
    file: { rows: 3, name: expect.stringMatching(/^messages-\d{4}-\d{2}-\d{2}\.csv$/) },
  });
  expect(file.headers['content-disposition']).toContain('attachment');
  const rows = table(file.body);
  expect(rows[0]).toEqual(['Text', 'Other party', 'Direction']);
  expect(rows.slice(1).map((r) => r[0])).toEqual([
    'On the second number',
    'Line one\nline "two", three',
    `'=HYPERLINK("http://evil.example","x")`,
  ]);
  expect(rows[3]!.slice(1)).toEqual([phone, 'inbound']);
});
test('calls contain what their record has, in the requested time zone', async () => {
  const columns = [
    'started_at',
    'party',
    'outcome',
    'answered_by',
    'duration_seconds',
    'over_120',
    'over_300',
    'note',
    'value',
    'id',
  ];
  const { file } = await exported(owner, contract.exportCalls, { columns, tz: 'America/New_York' });
  expect(table(file.body)).toEqual([
    [
      'Started (America/New_York)',
      'Other party',
      'Outcome',
      'Answered by',
      'Duration (s)',
      'Over 120 s',
      'Over 300 s',
      'Note',
      'Value (USD)',
      'Call id',
    ],
    [
      '2026-07-01 08:30:00',
      phone,
      'Answered',
      'Una User',
      '125',
      'yes',
      'no',
      "'-call back",
      '123.45',
      '501',
    ],
  ]);
  const lines = await exported(owner, contract.exportCalls, {
    columns,
    tz: 'America/New_York',
    format: 'jsonl',
  });
  expect(JSON.parse(lines.file.body)).toMatchObject({
    started_at: '2026-07-01T08:30:00-04:00',
    over_120: true,
    note: '-call back',
    value: 123.45,
    id: 501,
  });
  const sheet = await readXlsx(
    (await exported(owner, contract.exportCalls, { columns, tz: 'UTC', format: 'xlsx' })).file
      .rawPayload,
  );
  expect(sheet.sheets[0]!.rows[1]).toEqual([
    new Date('2026-07-01T12:30:00Z'),
    phone,
    'Answered',
    'Una User',
    125,
    true,
    false,
    '-call back',
    123.45,
    501,
  ]);
});
test('filters are those of the Activity list; a person limited to some numbers exports only those', async () => {
  const one = await exported(owner, contract.exportMessages, {
    columns: ['content'],
    groups: [[{ field: 'text', op: 'contains', value: 'second' }]],
  });
  expect(table(one.file.body)).toEqual([['Text'], ['On the second number']]);
  const limited = await app.createPerson(company.id, 'user', [second.id]);
  expect(
    table((await exported(limited, contract.exportMessages, { columns: ['content'] })).file.body),
  ).toEqual([['Text'], ['On the second number']]);
});
test('every column of every kind can be exported', async () => {
  const { exportColumns } = await import('#contract/fields/presets/export-columns');
  for (const [entity, endpoint] of [
    ['calls', contract.exportCalls],
    ['messages', contract.exportMessages],
    ['voicemails', contract.exportVoicemails],
    ['fax', contract.exportFaxes],
  ] as const) {
    const columns = Object.keys(exportColumns[entity]);
    const { file } = await exported(owner, endpoint as typeof contract.exportCalls, { columns });
    expect(table(file.body)[0]).toHaveLength(columns.length);
  }
});
test('an export belongs to its requester: a colleague doesn’t find it, its events go to no one else, and the requester is emailed', async () => {
  const admin = await app.createPerson(company.id, 'administrator');
  const { begun, batch } = await exported(admin, contract.exportMessages);
  expect(
    (
      await app.as(owner).request(contract.exportProgress, {
        params: { batchId: begun.batchId },
        query: { companyId: company.id },
      })
    ).status,
  ).toBe(404);
  const said = await app.services.db.systemTransaction((tx) =>
    tx
      .selectFrom('outbox')
      .select(['event', 'channel_key'])
      .where('company_id', '=', company.id)
      .where('event', 'like', 'export-%')
      .where(sql<string>`data ->> 'batchId'`, '=', begun.batchId)
      .execute(),
  );
  expect(said.map((s) => s.event)).toContain('export-completed');
  expect(said.every((s) => s.channel_key === admin.id)).toBe(true);
  const mails = await app.mails(admin.email);
  expect(mails).toMatchObject([
    {
      subject: expect.stringContaining('Your export is ready'),
      text: expect.stringContaining(`/exports/${company.id}/`),
    },
  ]);
  expect(batch.file!.until > app.clock.value.toISOString()).toBe(true);
});
test('the setting for users revokes it; reporting exports calls, not messages; an unknown column and zone are named', async () => {
  const user = await app.createPerson(company.id, 'user');
  const admin = await app.createPerson(company.id, 'administrator');
  const reporting = await app.createPerson(company.id, 'reporting');
  expect(
    (await app.as(reporting).request(contract.exportMessages, { body: { companyId: company.id } }))
      .status,
  ).toBe(403);
  expect(
    (await app.as(reporting).request(contract.exportCalls, { body: { companyId: company.id } }))
      .status,
  ).toBe(202);
  await app.services.db.systemTransaction((tx) =>
    sql`update company set settings = settings || '{"users_can_export": false}' where id = ${company.id}`.execute(
      tx,
    ),
  );
  for (const endpoint of [contract.exportMessages, contract.exportCalls] as const)
    expect((await app.as(user).request(endpoint, { body: { companyId: company.id } })).status).toBe(
      403,
    );
  await app.services.db.systemTransaction((tx) =>
    sql`update company set settings = settings - 'users_can_export' where id = ${company.id}`.execute(
      tx,
    ),
  );
  expect(
    (
      await app.as(admin).request(contract.exportCalls, {
        body: { companyId: company.id, columns: ['password'] } as never,
      })
    ).body,
  ).toMatchObject({ errors: { 'columns.0': ['This column doesn’t exist.'] } });
  expect(
    (
      await app.as(admin).request(contract.exportCalls, {
        body: { companyId: company.id, tz: 'Mars/Olympus' },
      })
    ).body,
  ).toMatchObject({ errors: { tz: ['Choose a time zone from the list.'] } });
  await app.drainJobs();
});
test('ten exports are possible per hour; the next fails with the time to wait', async () => {
  const keen = await app.createPerson(company.id, 'administrator');
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++)
    statuses.push(
      (await app.as(keen).request(contract.exportCalls, { body: { companyId: company.id } }))
        .status,
    );
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429]);
  await app.drainJobs();
});
test('a file can be downloaded until it expires, then its bytes are deleted', async () => {
  const admin = await app.createPerson(company.id, 'administrator');
  const { begun, batch } = await exported(admin, contract.exportCalls);
  const row = await app.services.db.systemTransaction((tx) =>
    tx
      .selectFrom('file')
      .select('key')
      .where('company_id', '=', company.id)
      .where('id', '=', batch.file!.fileId)
      .executeTakeFirstOrThrow(),
  );
  app.clock.advance(25 * 3600);
  const late = await app.as(admin).inject({ method: 'GET', url: batch.resultUrl! });
  expect(late.status).toBe(404);
  await deleteExpiredExports({ ...inbox.inCompany(company.id) });
  await expect(app.services.files.blobs.get(row.key)).rejects.toThrow();
  expect(begun.status).toBe('queued');
});
