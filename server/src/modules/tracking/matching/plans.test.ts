import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  analyzeAs,
  explainQueries,
  maxReturnedRows,
  statisticsVariants,
  withoutAutovacuum,
} from '../../../../test/support/query-plans.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { trackedSite } from '../../../../test/support/tracking-site.ts';
import { classify } from '../classification/classify.ts';
import { setupMark } from '../visits/store-setup.ts';
import { countLeaseEvents, leaseEvents } from '../timeline/store.ts';
import { leaseNumber } from '../visits/store.ts';
import { cluesOf } from './store.ts';

/**
 * Matching is part of every call's transaction, so whatever statistics the planner has it must only
 * look up a few rows: of 60,000 visits, leases and matches, with 3,000 leases of the called number
 * within the longest window.
 */
const rows = Number(process.env['PLAN_VISITS'] ?? 60_000);
const tables = ['tracking_visit', 'tracking_lease', 'tracking_match', 'tracking_pool_number'];
const grows = new RegExp(`^(${tables.join('|')})$`);

describe.each(statisticsVariants)('a database that was %s', async (known) => {
  const app = await createTestApp();
  await withoutAutovacuum(app, tables);
  const shop = await trackedSite(app, 20, { attributionWindowHours: 720 });
  const { companyId } = shop.owner;
  const numbers = shop.pool.numbers.map(({ id }) => id);
  const fill = (from: number, to: number) =>
    app.services.db.systemTransaction(async (tx) => {
      await sql`insert into tracking_visit (company_id, id, pool_id, visitor_id, started_at,
          last_seen_at, url, source_id, source_key, source_label, rule_id, evidence, device, outcome)
        select ${companyId}, n, ${shop.pool.id}, 'v' || n % 9000, now() - n * interval '40 seconds',
          now() - n * interval '40 seconds', 'https://www.shop.example/', 1, 'google_ads', 'Google Ads',
          'click.gclid', 'gclid', 'mobile', 'leased'
        from generate_series(${from}::int, ${to}::int) n`.execute(tx);
      await sql`insert into tracking_lease (company_id, id, pool_id, number_id, session_id, visitor_id,
          started_at, last_seen_at, expires_at, ends_at, ended_at)
        select ${companyId}, n, ${shop.pool.id}, (${numbers}::bigint[])[1 + n % 20], n,
          'v' || n % 9000, at, at, at + interval '30 minutes', at + interval '12 hours',
          at + interval '10 minutes'
        from generate_series(${from}::int, ${to}::int) n,
          lateral (select now() - n * interval '40 seconds' as at) t`.execute(tx);
      await sql`insert into tracking_match (company_id, id, kind, subject_id, number_id, party, at, label,
          confidence, model, visitor_id, source_id, source_key, source_label)
        select ${companyId}, n, 'call', n, (${numbers}::bigint[])[1 + n % 20],
          '+1' || (2120000000 + n % 2000), now() - n * interval '40 seconds', 'exact', 100,
          'first_touch', 'v' || n % 9000, 1, 'google_ads', 'Google Ads'
        from generate_series(${from}::int, ${to}::int) n`.execute(tx);
    });
  beforeAll(async () => {
    if (known === 'analysed before the rows came') {
      await fill(1, 10);
      await analyzeAs(app, tables);
    }
    await fill(11, rows);
    if (known === 'analysed') await analyzeAs(app, tables);
  }, 120_000);

  const plans = explainQueries(app, () => companyId);
  test.each([
    ['a call to a number of a pool', numbers[3]!, '+12120000077'],
    ['a call to another number', shop.defaultNumberId, '+12120000077'],
    ['a call of a stranger', numbers[4]!, '+12129999999'],
  ])('%s is matched by a few look-ups, in one statement', async (_name, numberId, party) => {
    const asked = await plans((tx) =>
      cluesOf(tx, companyId, [{ numberId, party }], app.services.now()),
    );
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toMatch(/Seq Scan on tracking_(visit|lease|match)/);
    expect(maxReturnedRows(asked, grows)).toBeLessThanOrEqual(100);
  });

  test('two hundred texts that arrive together are matched by look-ups, in one statement', async () => {
    const contacts = Array.from({ length: 200 }, (_, i) => ({
      numberId: shop.defaultNumberId,
      party: `+1${2_120_000_000 + i}`,
    }));
    const asked = await plans((tx) => cluesOf(tx, companyId, contacts, app.services.now()));
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toMatch(/Seq Scan on tracking_(visit|lease|match)/);
    expect(maxReturnedRows(asked, grows)).toBeLessThanOrEqual(600);
  });

  test('a visit gets its number by look-ups in one statement, after one for what it needs', async () => {
    const visit = {
      ...{ id: null, poolId: shop.pool.id, visitorId: 'v7', url: 'https://www.shop.example/' },
      ...{ referrer: null, device: 'mobile' as const, ip: null, region: null },
      captured: { params: {}, cookies: {} },
      now: app.services.now(),
      classification: classify(
        { url: 'https://www.shop.example/?gclid=1', referrer: undefined },
        { sources: [], domains: [], parameterNames: {} },
      ),
    };
    const terms = {
      ...{ poolId: shop.pool.id, timeoutMinutes: 30, quarantineMinutes: 30, stickyDays: 30 },
    };
    const asked = await plans(async (tx) => {
      await setupMark(tx, companyId);
      await leaseNumber(tx, companyId, visit, terms);
    });
    expect(asked).toHaveLength(2);
    expect(asked.join('\n')).not.toMatch(/Seq Scan on tracking_(visit|lease)/);
    expect(maxReturnedRows(asked, grows)).toBeLessThanOrEqual(100);
  });

  test('a number’s timeline reads the leases of its page alone', async () => {
    const [numberId, now] = [numbers[3]!, new Date()];
    const wanted = ['lease_started', 'lease_ended', 'swap_seen'] as const;
    const asked = await plans((tx) =>
      leaseEvents(tx, companyId, {
        ...{ numberId, wanted, before: null, limit: 50, now, upTo: now, leases: 300 },
      }),
    );
    const what = asked.join('\n');
    expect(what).not.toMatch(/Seq Scan on tracking_(visit|lease)/);
    // The leases of a step, and those of half a day before it that could have ended in it.
    expect(maxReturnedRows(asked, grows), what).toBeLessThanOrEqual(400);
    const counted = await plans((tx) => countLeaseEvents(tx, companyId, numberId, now));
    expect(counted.join('\n')).not.toMatch(/Seq Scan on tracking_(visit|lease)/);
  });
});
