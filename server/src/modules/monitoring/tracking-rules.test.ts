import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { monitoring as contract } from '#contract';
import type { AlertKind } from '#contract/monitoring/rules';
import { systemCtx } from '../../platform/context.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { trackedSite } from '../../../test/support/tracking-site.ts';
import { checkCompany } from './check-company.ts';

const app = await createTestApp();
const { db } = app.services;
const minutesAgo = (n: number): Date => new Date(app.clock.value.getTime() - n * 60_000);
const daysAgo = (n: number): Date => minutesAgo(n * 1440);

/** A website with a pool that was made two months ago, and what a check of it says. */
async function oldSite(size = 1) {
  const shop = await trackedSite(app, size);
  const { companyId } = shop.owner;
  await sql`update tracking_pool set created_at = ${daysAgo(60)}
    where company_id = ${companyId}`.execute(db.unscoped);
  const visits = (at: readonly Date[], outcome = 'leased') =>
    sql`insert into tracking_visit (company_id, pool_id, visitor_id, started_at, last_seen_at, url,
        source_id, source_key, source_label, rule_id, evidence, device, outcome)
      select ${companyId}, ${shop.pool.id}, 'v', at, at, 'https://www.shop.example/', 1, 'direct',
        'Direct', 'direct', '', 'mobile', ${outcome}
      from unnest(${at}::timestamptz[]) at`.execute(db.unscoped);
  const check = async (...kinds: AlertKind[]) => {
    await systemCtx(app.services, companyId, app.notifier).transaction((t) =>
      checkCompany(t, kinds),
    );
    const { body } = await app
      .as(shop.owner)
      .request(contract.listAlerts, { query: { company_id: companyId, state: 'open' } });
    return body.data.map(({ kind, message }) => `${kind}: ${message}`);
  };
  return { ...shop, companyId, visits, check };
}
/** So many moments spread evenly over so many minutes before `until`. */
const spread = (count: number, minutes: number, until: Date): Date[] =>
  Array.from(
    { length: count },
    (_, n) => new Date(until.getTime() - (n * minutes * 60_000) / count),
  );
/** Visits of a week, so many a day. */
const week = (daily: number, until: Date): Date[] => spread(daily * 8, 8 * 1440, until);

test('a busy pool is missed within a quarter of an hour, a quiet one later, and cleared by a visitor', async () => {
  const busy = await oldSite();
  await busy.visits(week(800, minutesAgo(10)));
  expect(await busy.check('dni_not_swapping')).toEqual([]);
  await sql`delete from tracking_visit where company_id = ${busy.companyId}
    and started_at > ${minutesAgo(20)}`.execute(db.unscoped);
  expect(await busy.check('dni_not_swapping')).toEqual([
    'dni_not_swapping: No visitor has seen one of its numbers for 20 minutes.',
  ]);
  // Pages that show no number of the pool don't count.
  await busy.visits([minutesAgo(1)], 'none');
  expect(await busy.check('dni_not_swapping')).toHaveLength(1);
  await busy.visits([minutesAgo(1)]);
  await busy.check('dni_not_swapping');
  expect(await busy.check('dni_not_swapping')).toEqual([]);

  const calm = await oldSite();
  await calm.visits(week(90, minutesAgo(200)));
  expect(await calm.check('dni_not_swapping')).toEqual([]);
  await sql`delete from tracking_visit where company_id = ${calm.companyId}
    and started_at > ${minutesAgo(300)}`.execute(db.unscoped);
  expect(await calm.check('dni_not_swapping')).toEqual([
    'dni_not_swapping: No visitor has seen one of its numbers for 5 hours.',
  ]);
});

test('a shop whose visitors come by day isn’t missed at night, nor one that few ever visit', async () => {
  const byDay = await oldSite();
  // Two hundred visits in the eight hours that ended nine hours ago, and on each day before.
  for (let day = 0; day < 8; day++)
    await byDay.visits(spread(200, 480, minutesAgo(540 + day * 1440)));
  expect(await byDay.check('dni_not_swapping')).toEqual([]);
  const few = await oldSite();
  await few.visits(week(3, minutesAgo(1200)));
  expect(await few.check('dni_not_swapping')).toEqual([]);
});

test('a pool that never showed a number is told apart, after twenty minutes', async () => {
  const fresh = await trackedSite(app, 1);
  const asked = async () => {
    await systemCtx(app.services, fresh.owner.companyId, app.notifier).transaction((t) =>
      checkCompany(t, ['dni_not_swapping']),
    );
    return (
      await app
        .as(fresh.owner)
        .request(contract.listAlerts, { query: { company_id: fresh.owner.companyId } })
    ).body.data.map(({ severity, message }) => [severity, message]);
  };
  expect(await asked()).toEqual([]);
  await sql`update tracking_pool set created_at = ${minutesAgo(21)}
    where company_id = ${fresh.owner.companyId}`.execute(db.unscoped);
  expect(await asked()).toEqual([['critical', 'No visitor has seen one of its numbers yet.']]);
});

test('a script that is switched off by hand is no trouble', async () => {
  const shop = await oldSite();
  await shop.visits(week(800, minutesAgo(60)));
  await sql`insert into tracking_script (company_id, is_enabled, changed_at)
    values (${shop.companyId}, false, ${minutesAgo(50)})`.execute(db.unscoped);
  expect(await shop.check('dni_not_swapping', 'dni_script_missing')).toEqual([]);
});

test('a website that reported every day and hasn’t for one', async () => {
  const shop = await oldSite();
  const views = (hour: Date, n: number) =>
    sql`insert into tracking_hit_count (company_id, pool_id, hour, kind, reason, n)
      values (${shop.companyId}, ${shop.pool.id}, date_trunc('hour', ${hour}::timestamptz),
        'pageview', 'stored', ${n})`.execute(db.unscoped);
  await views(daysAgo(3), 99);
  expect(await shop.check('dni_script_missing')).toEqual([]);
  await views(daysAgo(2), 1);
  expect(await shop.check('dni_script_missing')).toEqual([
    'dni_script_missing: No page reported in the last 24 hours, after 100 in the week before.',
  ]);
  await views(minutesAgo(90), 1);
  await shop.check('dni_script_missing');
  expect(await shop.check('dni_script_missing')).toEqual([]);
});

test('a pool of ten numbers of which two were in use at once needs none of them removed, of which one was does', async () => {
  const shop = await oldSite(10);
  const lease = (from: number, minutes: number) =>
    sql`insert into tracking_lease (company_id, pool_id, number_id, session_id, visitor_id,
        started_at, last_seen_at, expires_at, ends_at, ended_at)
      select ${shop.companyId}, ${shop.pool.id}, ${shop.pool.numbers[0]!.id}, 1, 'v', at, at,
        at + ${minutes} * interval '1 minute', at + ${minutes} * interval '1 minute',
        at + ${minutes} * interval '1 minute'
      from (select ${minutesAgo(from)}::timestamptz as at) given`.execute(db.unscoped);
  await lease(3000, 60);
  await lease(2940, 60);
  expect(await shop.check('dni_pool_oversized')).toEqual([
    'dni_pool_oversized: At most 1 of its 10 numbers were in use at once in 30 days.',
  ]);
  await lease(2960, 10);
  await shop.check('dni_pool_oversized');
  expect(await shop.check('dni_pool_oversized')).toEqual([]);
});

test('calls that are matched less often than before, and calls of unknown sources', async () => {
  const shop = await oldSite();
  let party = 1000;
  const calls = async (at: Date, count: number, label: string, source: string) => {
    for (let n = 0; n < count; n++, party++)
      await sql`with made as (
          insert into call (company_id, number_id, outbound, carrier, from_number, to_number, party,
            status, outcome, started_at, ended_at, talk_seconds, duration_seconds)
          values (${shop.companyId}, ${shop.pool.numbers[0]!.id}, false, 'sandbox',
            ${`+1212556${party}`}, '+14155550100', ${`+1212556${party}`}, 1, 1, ${at}, ${at}, 60, 60)
          returning company_id, id, number_id, party, started_at)
        insert into tracking_match (company_id, kind, subject_id, number_id, party, at, label,
          confidence, model, source_id, source_key, source_label)
        select company_id, 'call', id, number_id, party, started_at, ${label}, 100, 'last_touch', 1,
          ${source}, ${source} from made`.execute(db.unscoped);
  };
  await calls(daysAgo(3), 30, 'exact', 'google_ads');
  await calls(minutesAgo(60), 19, 'ambiguous', 'direct');
  const kinds: AlertKind[] = ['attribution_drop', 'source_unknown_spike'];
  expect(await shop.check(...kinds)).toEqual([]);
  await calls(minutesAgo(60), 1, 'exact', 'unknown');
  expect((await shop.check(...kinds)).toSorted()).toEqual([
    'attribution_drop: 5% of the last day’s calls are matched to one visitor, 100% in the week before.',
    'source_unknown_spike: 100% of the last day’s calls have no known source, 0% in the week before.',
  ]);
  await calls(minutesAgo(30), 80, 'exact', 'google_ads');
  await shop.check(...kinds);
  expect(await shop.check(...kinds)).toEqual([]);
});

test('recordings that failed or never came', async () => {
  const shop = await oldSite();
  const recordings = (count: number, state: string, at: Date) =>
    sql`with made as (
        insert into call (company_id, number_id, outbound, carrier, from_number, to_number, party,
          status, outcome, started_at, ended_at, talk_seconds, duration_seconds)
        select ${shop.companyId}, ${shop.pool.numbers[0]!.id}, false, 'sandbox', '+12125569999',
          '+14155550100', '+12125569999', 1, 1, ${at}::timestamptz, ${at}::timestamptz, 60, 60
        from generate_series(1, ${count})
        returning company_id, id, started_at)
      insert into recording (company_id, call_id, carrier_recording, kind, state, content_type,
        duration_ms, channels, speakers, created_at)
      select company_id, id, 'r' || id, 'call', ${state}, 'audio/wav', 60000, 1, '{0}', started_at
      from made`.execute(db.unscoped);
  await recordings(18, 'ready', minutesAgo(120));
  await recordings(1, 'failed', minutesAgo(120));
  // Those of the last hour may still come.
  await recordings(9, 'pending', minutesAgo(30));
  expect(await shop.check('recording_missing')).toEqual([]);
  await recordings(1, 'pending', minutesAgo(120));
  expect(await shop.check('recording_missing')).toEqual([
    'recording_missing: 2 of 20 recordings of the last 24 hours are missing.',
  ]);
});
