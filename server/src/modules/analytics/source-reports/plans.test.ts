import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import {
  analyzeAs,
  explainQueries,
  maxReturnedRows,
  withoutAutovacuum,
} from '../../../../test/support/query-plans.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { trackedSite } from '../../../../test/support/tracking-site.ts';
import { callFacts, firstQualifiedOf } from '../../calls/index.ts';
import { countSessions, creditCalls, matchedCalls, waysWithoutCall } from '../../tracking/index.ts';
import { spanOf } from '../query/store-figures-of-calls.ts';

/** A report on a day reads that day's calls and visits, however many the company has. */
const app = await createTestApp();
const shop = await trackedSite(app, 4);
const { companyId } = shop.owner;
const tables = ['tracking_visit', 'tracking_match', 'call'];
const grows = new RegExp(`^(${tables.join('|')})`);
const rows = 12_000;
const numbers = shop.pool.numbers.map(({ id }) => id);
/** 86 calls and visits; each visitor has ten visits. */
const scope = {
  ...spanOf({ start: '2026-10-01', end: '2026-10-01' }, 'UTC'),
  poolIds: null,
  numberIds: null,
  only: null,
};

beforeAll(async () => {
  await withoutAutovacuum(app, tables);
  await app.services.db.systemTransaction(async (tx) => {
    const at = sql`timestamptz '2026-11-10T00:00:00Z' - n * interval '1000 seconds'`;
    await sql`insert into tracking_visit (company_id, id, pool_id, visitor_id, started_at,
        last_seen_at, url, source_id, source_key, source_label, rule_id, evidence, device, outcome)
      select ${companyId}, n, ${shop.pool.id}, 'v' || n % 1200, ${at}, ${at},
        'https://www.shop.example/', 1 + n % 3, 's' || n % 3, 'S', 'click.gclid', 'gclid', 'mobile',
        'leased' from generate_series(1, ${rows}::int) n`.execute(tx);
    await sql`insert into call (company_id, id, number_id, carrier, outbound, from_number, to_number,
        party, outcome, started_at, qualified)
      select ${companyId}, n, (${numbers}::bigint[])[1 + n % 4], 'sandbox', false, '', '',
        '+1212' || 1000000 + n % 1200, 1, ${at}, n % 9 = 0
      from generate_series(1, ${rows}::int) n`.execute(tx);
    await sql`insert into tracking_match (company_id, id, kind, subject_id, number_id, party, at,
        label, confidence, model, pool_id, visitor_id, visit_id, source_id, source_key, source_label)
      select ${companyId}, n, 'call', n, (${numbers}::bigint[])[1 + n % 4],
        '+1212' || 1000000 + n % 1200, ${at}, 'exact', 100, 'first_touch', ${shop.pool.id},
        'v' || n % 1200, n, 1, 's1', 'S' from generate_series(1, ${rows}::int) n`.execute(tx);
  });
}, 120_000);

const plans = explainQueries(app, () => companyId);
test.each(['never analysed', 'analysed'])('%s', async (state) => {
  if (state === 'analysed') await analyzeAs(app, tables);
  const asked = await plans(async (tx) => {
    const page = await matchedCalls(tx, companyId, scope, null, 1000);
    expect(page.length).toBeGreaterThan(80);
    const ids = page.map(({ call_id }) => call_id);
    const facts = await callFacts(tx, companyId, ids);
    expect(facts.size).toBe(page.length);
    const qualified = await firstQualifiedOf(tx, companyId, [...facts.values()]);
    await creditCalls(tx, companyId, page, 'w_shaped', qualified);
    await countSessions(tx, companyId, scope, { group: 'source', tz: 'UTC', filters: {} });
    await waysWithoutCall(tx, companyId, scope);
  });
  expect(asked).toHaveLength(7);
  for (const plan of asked)
    expect(plan).not.toMatch(/Seq Scan on (tracking_visit|tracking_match|call)/);
  // 87 calls with up to ten visits each, of 12,000.
  expect(maxReturnedRows(asked, grows)).toBeLessThanOrEqual(1000);
});
