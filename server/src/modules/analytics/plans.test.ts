import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import {
  analyzeAs,
  explainQueries,
  maxReturnedRows,
  withoutAutovacuum,
} from '../../../test/support/query-plans.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { uniqueCallers } from '../calls/index.ts';
import { figuresOf } from './figures.ts';
import { periodOf } from './store-figures.ts';

/** Figures of a year read hours that were counted, not the year's calls and texts. */
const app = await createTestApp();
const { company } = await app.createCompany();
const number = await inboxHelpers(app).number(company.id);
const plans = explainQueries(app, () => company.id);
const tables = [
  ...['call', 'conversation_item', 'figure_hour', 'figure_change'],
  ...['caller_gap', 'caller_change'],
];
const size = 6_000;
const hours = 200;
const perHour = size / hours;

beforeAll(async () => {
  await withoutAutovacuum(app, tables);
  await app.services.db.systemTransaction(async (tx) => {
    const at = sql`timestamptz '2026-01-01T00:10:00Z' + (n % ${hours}) * interval '40 hours'`;
    await sql`insert into conversation (company_id, id, number_id, party, created_at,
      last_activity_at) values (${company.id}, 1, ${number.id}, '+12125550147', now(), now())`.execute(
      tx,
    );
    await sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number,
        party, outcome, started_at, talk_seconds)
      select ${company.id}, ${number.id}, 'sandbox', false, '', '', '+1' || n % 700, n % 5, ${at}, 9
      from generate_series(1, ${size}::int) n`.execute(tx);
    await sql`insert into conversation_item (company_id, conversation_id, number_id, kind,
        is_inbound, created_at, details)
      select ${company.id}, 1, ${number.id}, 'message', true, ${at}, '{}'
      from generate_series(1, ${size}::int) n`.execute(tx);
    await sql`select fold_figures(${2 * size})`.execute(tx);
    await sql`select fold_callers(${size})`.execute(tx);
  });
}, 120_000);

for (const state of ['never analysed', 'analysed'] as const) {
  test(`unique callers of a year read its gaps and the calls at its ends, ${state}`, async () => {
    if (state === 'analysed') await analyzeAs(app, tables);
    const span = { from: new Date('2026-01-01T05:00:00Z'), to: new Date('2026-11-20T05:00:00Z') };
    const asked = await plans((tx) =>
      uniqueCallers(tx, company.id, span, { only: null, calls: size }),
    );
    const brief = asked.join('\n');
    // Each of those who called at its ends is looked up once.
    expect(maxReturnedRows(asked, /^call$/), brief).toBeLessThanOrEqual(2 * perHour);
    expect(maxReturnedRows(asked, /^caller_gap$/), brief).toBeLessThan(100);
    expect(brief).not.toMatch(/Seq Scan on call /);
  });
  for (const only of [null, [number.id]])
    for (const [tz, split] of [
      ['America/New_York', 0],
      ['Asia/Kolkata', 12],
    ] as const)
      test(`a year by day on ${only ? 'some' : 'all'} numbers, ${tz}, ${state}`, async () => {
        if (state === 'analysed') await analyzeAs(app, tables);
        const year = { start: '2026-01-01', end: '2026-12-31', tz, until: '11:22:33' };
        const format = 'YYYY-MM-DD' as const;
        const asked = await plans(async (tx) => {
          const period = await periodOf(tx, year, format);
          return figuresOf({ tx, companyId: company.id }, period, { tz, format, only });
        });
        const brief = asked.join('\n').replaceAll(/'\{[^}]*\}'/g, '…');
        expect(maxReturnedRows(asked, /^figure_(hour|change)$/), brief).toBeLessThan(2.5 * hours);
        // Only hours that the zone's midnight cuts, and the last one.
        expect(maxReturnedRows(asked, /^call$/), brief).toBeLessThanOrEqual(split * perHour);
        expect(maxReturnedRows(asked, /^conversation_item$/), brief).toBeLessThanOrEqual(
          split * perHour,
        );
      });
}

test('few unique callers are grouped from the index alone', async () => {
  await analyzeAs(app, tables);
  const span = { from: new Date('2026-02-01T00:00:00Z'), to: new Date('2026-04-01T00:00:00Z') };
  const asked = await plans((tx) =>
    uniqueCallers(tx, company.id, span, { only: null, calls: 4000 }),
  );
  expect(asked.join('\n')).toMatch(/Index Only Scan using call_figures/);
  expect(asked.join('\n')).toMatch(/HashAggregate/);
});
