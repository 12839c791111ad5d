import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callAnalytics as contract, exporting } from '#contract';
import { companyWithCalls } from '../../../../test/support/company-with-calls.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { readAloud, textOfPdf } from '../../../../test/support/read-pdf.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { readQuestion } from '../query/question.ts';
import { gatherReport } from './gather-report.ts';
import { MOST_PDF_ROWS, documentOf } from './write-document.ts';
import { renderReportDocument } from './render-document.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const tz = 'America/New_York';
const range = { start: '2026-10-20', end: '2026-11-12', tz };
const [one, other] = [await companyWithCalls(app, 3), await companyWithCalls(app, 4)];

const request = (who: TestPerson, query: Record<string, unknown>) =>
  app
    .as(who)
    .request(contract.analyzeCalls, { query: { company_id: who.companyId, ...range, ...query } });

/** Asks for a PDF, lets its job run and fetches it, as `reader` when it is another person. */
async function pdfOf(who: TestPerson, query: Record<string, unknown>, reader = who) {
  const begun = await request(who, { ...query, format: 'pdf' });
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  await app.drainJobs();
  const done = await app.as(who).request(exporting.exportProgress, {
    params: { batchId: String(begun.body.meta['batchId']) },
    query: { companyId: who.companyId },
  });
  return app.server.inject({
    method: 'GET',
    url: String(done.body.data.resultUrl),
    headers: { authorization: `Bearer ${reader.token}` },
  });
}

test('a report on paper says what the screen says, and what it is of', async () => {
  const query = { group: 'number', answer_status: ['answered', 'missed'] };
  const screen = (await request(one.owner, query)).body;
  const before = (
    await request(one.owner, { ...query, start: '2026-09-26', end: '2026-10-19', group: 'none' })
  ).body.totals;
  const file = await pdfOf(one.owner, { ...query, title: 'Łódź & Αθήνα' });
  expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(file.headers['content-disposition']).toMatch(/calls-by-number-[\d-]+\.pdf/);
  const text = await textOfPdf(file.rawPayload);
  for (const said of [
    'Łódź & Αθήνα',
    `Company ${one.company.name}`,
    'Period Oct 20, 2026 to Nov 12, 2026',
    'Compared with Sep 26, 2026 to Oct 19, 2026',
    `Time zone ${tz}`,
    'Incoming calls, Answered or Missed',
    'Calls by your number',
    'page 1 of 1',
  ])
    expect(text).toContain(said);
  expect(screen.data.length).toBeGreaterThan(1);
  for (const { label, figures: f } of screen.data)
    expect(text).toContain(`${label} ${f.calls} ${f.answered} ${f.missed} ${f.answer_rate}% `);
  const { calls, answered, missed } = screen.totals;
  expect(text).toContain(`All calls ${calls} ${answered} ${missed} `);
  expect(text).toMatch(new RegExp(`^Calls\\n.*\\b${calls}\\b`, 'm'));
  expect(before.calls).toBeLessThan(calls);
  expect(text).toMatch(/(more|less) than before/);
  const aloud = await readAloud(file.rawPayload);
  expect(aloud).toMatchObject({ title: 'Łódź & Αθήνα', language: 'en-US', untagged: 0 });
  expect(aloud.alternatives).toEqual([
    `Bar chart: Calls by your number. ${screen.data.map((row) => `${row.label}: ${row.value}`).join(', ')}.`,
  ]);
  const [, heading, ...parts] = aloud.tags as [string, ...[string][]];
  expect(heading).toEqual(['H1']);
  expect(parts.map(([tag]) => tag).filter((tag) => tag !== 'P')).toEqual(['H2', 'Figure', 'Table']);
});

test('days are drawn along time, and nothing is drawn of no calls', async () => {
  const days = await pdfOf(one.owner, { group: 'day', target: 'answer_rate' });
  const aloud = await readAloud(days.rawPayload);
  expect(aloud.alternatives[0]).toMatch(/^Column chart: Answer rate by day\. Highest: [\d.]+%, /);
  expect(await textOfPdf(days.rawPayload)).toContain('Tue, Oct 20, 2026');
  const none = await pdfOf(one.owner, { group: 'day', min_duration: 86_000 });
  expect((await readAloud(none.rawPayload)).alternatives).toEqual([]);
  expect(await textOfPdf(none.rawPayload)).toContain('At least 86000 seconds of talk');
});

test('it has what who asked may see, and nothing of another company', async () => {
  const [first = 0, second = 0] = one.numbers;
  const limited = await app.createPerson(one.company.id, 'reporting', [first]);
  const query = { group: 'number', number_ids: [first, second] };
  const text = await textOfPdf((await pdfOf(limited, query)).rawPayload);
  const shown = (await request(limited, query)).body;
  expect(shown.data).toHaveLength(1);
  expect(text).toContain(`All calls ${shown.totals.calls} `);
  expect(text).toContain('2 numbers');
  // IDs of others have no names here.
  const theirs = await pdfOf(other.owner, {
    group: 'day',
    number_ids: one.numbers,
    tags: one.tags,
    user_ids: [one.owner.id],
  });
  const said = await textOfPdf(theirs.rawPayload);
  expect(said).toContain('All calls 0 0 0');
  expect(said).toContain('Calls of 1 teammate');
  const { rows } = await app.services.db.pool.query<{ name: string }>(
    'select label as name from number where company_id = $1 union select name from tag where company_id = $1',
    [one.company.id],
  );
  for (const { name } of rows.filter((row) => row.name.length > 3))
    expect(said).not.toContain(name);
  // The file opens for who asked for it, and for no stranger.
  expect((await pdfOf(one.owner, { group: 'day' }, other.owner)).statusCode).toBe(404);
});

test('contact details hidden from someone are hidden in it', async () => {
  await app.services.db.systemTransaction(async (tx) => {
    await sql`update company set settings = settings || '{"mask_contact_details_for_users": true, "users_can_export": true}'
      where id = ${one.company.id}`.execute(tx);
    await sql`update call set source = '{"key": "x", "campaign": "Call +13475550188"}'
      where company_id = ${one.company.id}`.execute(tx);
  });
  const user = await app.createPerson(one.company.id, 'user');
  const query = { group: 'campaign', campaigns: ['Call +13475550188'] };
  const open = await textOfPdf((await pdfOf(one.owner, query)).rawPayload);
  const masked = await textOfPdf((await pdfOf(user, query)).rawPayload);
  expect(open).toContain('+13475550188');
  expect(masked).not.toContain('5550188');
  expect(masked).toContain('•••');
});

test('it follows the rules of a file: the right, one company, the range, a title that fits', async () => {
  await app.services.db.systemTransaction((tx) =>
    sql`update company set settings = settings || '{"users_can_export": false}'
      where id = ${other.company.id}`.execute(tx),
  );
  const user = await app.createPerson(other.company.id, 'user');
  expect((await request(user, { format: 'pdf' })).status).toBe(403);
  const statuses = [
    { company_ids: [other.company.id, one.company.id] },
    { start: '2020-01-01' },
    { title: 'x'.repeat(81) },
    { title: ' ' },
  ].map(async (query) => (await request(other.owner, { ...query, format: 'pdf' })).status);
  expect(await Promise.all(statuses)).toEqual([422, 422, 422, 422]);
});

test('rows beyond the first 500 are counted, not printed, and a long report stays whole', async () => {
  const report = await inbox.inCompany(one.company.id).transaction((t) =>
    gatherReport(t, {
      question: readQuestion({ ...range, group: 'number', target: 'calls' }, t.now),
      companies: [{ id: one.company.id, only: null, organizationId: null, name: one.company.name }],
      hidden: null,
    }),
  );
  const [row] = report.rows;
  const rows = Array.from({ length: MOST_PDF_ROWS + 5 }, (_, i) => ({
    ...row!,
    row: { ...row!.row, label: `Line ${i} ${'Ξενοφών '.repeat(i % 20)}` },
  }));
  const bytes = await renderReportDocument(documentOf({ ...report, rows }, 'Long'));
  const text = await textOfPdf(bytes);
  expect(text).toContain('5 more rows aren’t printed. The CSV file has all of them.');
  expect(text).toContain(`Line ${MOST_PDF_ROWS - 1} `);
  expect(text).not.toContain(`Line ${MOST_PDF_ROWS} `);
  expect(text).toContain('Calls by your number, first 10');
  const { pages, untagged } = await readAloud(bytes);
  expect(untagged).toBe(0);
  expect(pages).toBeGreaterThan(15);
  expect(bytes.length).toBeLessThan(1_000_000);
});
