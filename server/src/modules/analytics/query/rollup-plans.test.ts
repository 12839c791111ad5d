import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import {
  analyzeAs,
  explainQueries,
  maxReturnedRows,
  withoutAutovacuum,
} from '../../../../test/support/query-plans.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { fewestAddedUp, figuresOfQuestion } from './choose-table.ts';
import { readQuestion } from './question.ts';
import { spanOf } from './store-figures-of-calls.ts';
import { foldRollups } from './store-rollups-upkeep.ts';

/** A report on a year of many calls reads what was added up of it, and not one call. */
const app = await createTestApp();
const { company } = await app.createCompany();
const number = await inboxHelpers(app).number(company.id);
const db = app.services.db;
const tz = 'America/New_York';
const tables = ['call', 'call_tag', 'call_rollup', 'call_rollup_change', 'call_rollup_company'];
const size = 9_000;
const sources = 5;

beforeAll(async () => {
  await withoutAutovacuum(app, tables);
  await db.systemTransaction(async (tx) => {
    await sql`insert into call (company_id, id, number_id, carrier, outbound, from_number, to_number,
        party, outcome, started_at, talk_seconds, caller_state, source)
      select ${company.id}, n, ${number.id}, 'sandbox', false, '', '', '+1212' || 1000000 + n % 4000,
        n % 5, timestamptz '2026-11-10T12:00:00Z' - n * interval '1 hour', n % 400,
        (array['CA', 'NY', 'TX'])[1 + n % 3],
        jsonb_build_object('key', 's' || n % ${sources}::int, 'label', 'Source ' || n % ${sources}::int)
      from generate_series(1, ${size}::int) n`.execute(tx);
    await sql`insert into tag (company_id, id, name, color)
      select ${company.id}, n, 'Tag ' || n, 'blue' from generate_series(1, 4) n`.execute(tx);
    await sql`insert into call_tag (company_id, call_id, tag_id)
      select ${company.id}, n, 1 + n % 4 from generate_series(1, ${size}::int) n`.execute(tx);
    while ((await foldRollups(tx, 5000)) > 0);
  });
}, 120_000);

/** The year until the last of these calls. */
const year = { start: '2025-11-11', end: '2026-11-10' };
const askedOf = (group: 'day' | 'source' | 'tag' | 'sentiment' | 'geo_state') => {
  const asks = { ...year, tz, group, target: 'calls' as const, unique: false };
  const question = readQuestion(asks, new Date('2026-11-10'));
  return {
    companyId: company.id,
    organizationId: null,
    only: null,
    ...spanOf(question.range, tz),
    question,
    credits: null,
    isSpread: false,
  };
};

const plans = explainQueries(app, () => company.id);
test.each(['never analysed', 'analysed'])('%s', async (state) => {
  if (state === 'analysed') await analyzeAs(app, tables);
  for (const [group, found, rows] of [
    // Each day has a row of each source; a year has eleven months, and days at its ends.
    ['day', 365, 366],
    ['source', sources, 41 * sources],
    ['geo_state', 3, 41 * 3],
    ['sentiment', 1, 41],
    // And what all calls come to, once each.
    ['tag', 5, 41 * 4],
  ] as const) {
    const asked = await plans(async (tx) => {
      const parts = await figuresOfQuestion(tx, askedOf(group), 1000);
      expect(parts.length).toBe(found);
      const ofRows = parts.filter(({ part }) => part === 'row');
      expect(ofRows.reduce((sum, { calls }) => sum + calls, 0)).toBe(364 * 24 + 7);
    });
    const brief = asked.join('\n');
    expect(maxReturnedRows(asked, /^call$/), brief).toBe(0);
    expect(maxReturnedRows(asked, /^call_rollup$/), brief).toBeLessThanOrEqual(rows);
    expect(brief).not.toMatch(/Seq Scan on call_rollup /);
  }
});

test('many calls are read from their sums, fewer are counted', async () => {
  const calls = 364 * 24 + 7;
  const readWith = (fewest: number) =>
    plans((tx) => figuresOfQuestion(tx, askedOf('source'), fewest));
  expect(maxReturnedRows(await readWith(calls), /^call$/)).toBe(0);
  expect(maxReturnedRows(await readWith(calls + 1), /^call$/)).toBeGreaterThanOrEqual(calls);
  expect(fewestAddedUp).toBe(50_000);
});
