import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { callGroups } from '#contract/analytics/call-analytics/rules';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import {
  analyzeAs,
  explainQueries,
  maxReturnedRows,
  withoutAutovacuum,
} from '../../../../test/support/query-plans.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { readQuestion } from './question.ts';
import { figuresOfCalls, spanOf } from './store-figures-of-calls.ts';

/** A report on a day reads that day's calls, however many the company has. */
const app = await createTestApp();
const { company } = await app.createCompany();
const number = await inboxHelpers(app).number(company.id);
const rows = 15_000;
const tables = ['call', 'call_tag', 'transcription'];
/** 173 of them. */
const day = { start: '2026-10-01', end: '2026-10-01' };

beforeAll(async () => {
  await withoutAutovacuum(app, tables);
  await app.services.db.systemTransaction((tx) =>
    sql`insert into call (company_id, id, number_id, carrier, outbound, from_number, to_number, party,
        outcome, started_at, talk_seconds)
      select ${company.id}, n, ${number.id}, 'sandbox', false, '', '', '+1212' || 1000000 + n % 4000,
        n % 5, timestamptz '2026-11-10T00:00:00Z' - n * interval '500 seconds', n % 400
      from generate_series(1, ${rows}::int) n`.execute(tx),
  );
}, 120_000);

const plans = explainQueries(app, () => company.id);
test.each(['never analysed', 'analysed'])('%s', async (state) => {
  if (state === 'analysed') await analyzeAs(app, tables);
  const filters = { tags: [1], sentiments: ['unknown' as const], qualified: false };
  const asked = await plans(async (tx) => {
    for (const group of callGroups)
      for (const more of [{}, filters]) {
        const asks = { ...day, tz: 'UTC', group, target: 'unique' as const, ...more };
        const question = readQuestion(asks, new Date('2026-11-10'));
        await figuresOfCalls(tx, {
          companyId: company.id,
          organizationId: null,
          only: null,
          ...spanOf(question.range, 'UTC'),
          question,
          credits: null,
          isSpread: true,
        });
      }
  });
  for (const plan of asked) {
    // The other tables are empty.
    expect(plan).not.toMatch(/Seq Scan on call /);
    // One call can be over several durations.
    expect(maxReturnedRows([plan], /^call/)).toBeLessThanOrEqual(173);
  }
});
