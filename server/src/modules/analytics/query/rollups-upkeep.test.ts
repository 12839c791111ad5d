import { sql, type RawBuilder } from 'kysely';
import { expect, test } from 'vitest';
import { changingCalls } from '../../../../test/support/changing-calls.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { jobs } from '../jobs.ts';
import { checkRollup } from './store-rollups-upkeep.ts';

/** Sums of calls that are wrong or missing are counted anew. */
const app = await createTestApp();
const db = app.services.db;
const { company, fold, fill, stored } = changingCalls(app);

test('a wrong sum is found and put right, and that is noted', async () => {
  const made = await company(51, 'Europe/Berlin');
  const other = await company(52, 'Europe/Berlin');
  await fold();
  await fill();
  const right = await stored(made.id);
  const since = new Date('2026-11-20T00:00:00Z');
  const now = new Date('2026-11-20T02:00:00Z');
  const checkAll = async () => {
    let differing = 0;
    for (let n: number | null = 0; n !== null; differing += n ?? 0)
      n = await db.systemTransaction((tx) => checkRollup(tx, since, now));
    return differing;
  };
  expect(await checkAll()).toBe(0);
  await db.systemTransaction(async (tx) => {
    await sql`update call_rollup_company set checked_at = null`.execute(tx);
    await sql`update call_rollup set talk = talk + 1 where company_id = ${made.id}
      and dimension = 3 and by_month and key = 'bing' and day = '2026-10-01'
      and outbound`.execute(tx);
    await sql`delete from call_rollup where company_id = ${made.id}
      and dimension = 0 and day = '2026-10-28' and not by_month and not outbound`.execute(tx);
  });
  expect(await checkAll()).toBe(2);
  expect(await stored(made.id)).toEqual(right);
  const { rows } = await db.systemTransaction((tx) =>
    sql<object>`select company_id, checked_at, repaired_at, repaired from call_rollup_company
      where company_id in (${made.id}, ${other.id}) order by company_id`.execute(tx),
  );
  expect(rows).toEqual([
    { company_id: made.id, checked_at: now, repaired_at: now, repaired: 2 },
    { company_id: other.id, checked_at: now, repaired_at: null, repaired: 0 },
  ]);
});

test('calls of a version that knew no tags, phrases and moods of them are told, and then counted', async () => {
  const made = await company(71, 'America/Denver');
  await fold();
  await fill();
  const right = await stored(made.id);
  const change = (what: RawBuilder<unknown>) =>
    db.systemTransaction((tx) => sql`${what} where company_id = ${made.id}`.execute(tx));
  // As migration 357 finds them: no call knows, and its sums say so.
  await change(sql`update call set tag_ids = null, phrase_list_ids = null, sentiment = null`);
  await change(sql`delete from call_rollup`);
  await change(sql`delete from call_rollup_change`);
  await change(sql`update call_rollup_company set counted_from = '-infinity',
    more_counted_from = 'infinity', known_from = 'infinity'`);
  await fill();
  await fold();
  expect(await stored(made.id)).toEqual(right);
  const { rows } = await db.systemTransaction((tx) =>
    sql<object>`select known_from, more_counted_from, counted_from from call_rollup_company
      where company_id = ${made.id}`.execute(tx),
  );
  expect(rows).toEqual([
    { known_from: -Infinity, more_counted_from: '-infinity', counted_from: '-infinity' },
  ]);
});

test('calls that do not know their tags are found at night, told, and counted with them', async () => {
  const made = await company(81, 'America/Denver');
  await fold();
  await fill();
  const right = await stored(made.id);
  const change = (what: RawBuilder<unknown>) =>
    db.systemTransaction((tx) => sql`${what}`.execute(tx));
  await change(sql`update call set tag_ids = '{7}', sentiment = 'negative'
    where company_id = ${made.id} and id in (select id from call
      where company_id = ${made.id} order by started_at limit 3)`);
  await change(sql`update call_rollup_company set checked_at = null`);
  await fold();
  expect((await stored(made.id)).rows).not.toEqual(right.rows);
  let differing = 0;
  const now = new Date('2026-11-20T02:00:00Z');
  for (let n: number | null = 0; n !== null; differing += n ?? 0)
    n = await db.systemTransaction((tx) => checkRollup(tx, now, now));
  expect(differing).toBe(3);
  await fold();
  expect(await stored(made.id)).toEqual(right);
});

test('the jobs fill companies that were there before, clear old days, and recount once a night', async () => {
  const made = await company(61, 'Europe/Lisbon');
  const run = (name: string) =>
    jobs
      .find((job) => job.name === `analytics.${name}`)!
      .handler(systemCtx(app.services, made.id, app.notifier), {}, { number: 1, last: false });
  const change = (what: RawBuilder<unknown>) =>
    db.systemTransaction((tx) => sql`${what} where company_id = ${made.id}`.execute(tx));
  await run('foldCallRollups');
  await run('fillCallRollups');
  const first = await stored(made.id);
  await change(sql`update call_rollup_company set timezone = 'Asia/Tokyo', edition = edition + 1,
    counted_from = 'infinity'`);
  await run('fillCallRollups');
  const second = await stored(made.id);
  expect(second.rows).not.toEqual(first.rows);
  const { rows: editions } = await db.systemTransaction((tx) =>
    sql`select distinct edition from call_rollup where company_id = ${made.id}`.execute(tx),
  );
  expect(editions).toHaveLength(1);
  app.clock.value = new Date('2026-12-01T02:10:00Z');
  await run('checkCallRollups');
  await change(sql`update call_rollup set leads = leads + 1`);
  app.clock.value = new Date('2026-12-01T05:50:00Z');
  await run('checkCallRollups');
  expect((await stored(made.id)).rows, 'it was recounted this night').not.toEqual(second.rows);
  app.clock.value = new Date('2026-12-02T02:00:00Z');
  await run('checkCallRollups');
  expect(await stored(made.id)).toEqual(second);
});
