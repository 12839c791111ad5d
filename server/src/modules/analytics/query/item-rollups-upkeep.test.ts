import { sql, type RawBuilder } from 'kysely';
import { expect, test } from 'vitest';
import { changingItems } from '../../../../test/support/changing-items.ts';
import { seeded } from '../../../../test/support/random-calls.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { fillStates, workOnFills } from '../../../platform/background-fills.ts';
import { systemCtx } from '../../../platform/context.ts';
import { jobs } from '../jobs.ts';
import { checkRollup } from './store-rollups-upkeep.ts';

/** Sums of texts, voicemails and faxes that are wrong or missing are counted anew. */
const app = await createTestApp();
const db = app.services.db;
const { company, correct, fold, forget, stored } = changingItems(app);
const change = (what: RawBuilder<unknown>) => db.systemTransaction((tx) => what.execute(tx));

test('a wrong sum is found and put right, and that is noted', async () => {
  const made = await company(seeded(51), 'Europe/Berlin');
  const other = await company(seeded(52), 'Europe/Berlin');
  await fold();
  const right = await stored(made.id);
  const since = new Date('2026-11-20T00:00:00Z');
  const now = new Date('2026-11-20T02:00:00Z');
  const checkAll = async () => {
    let differing = 0;
    for (let n: number | null = 0; n !== null; differing += n ?? 0)
      n = await db.systemTransaction((tx) => checkRollup(tx, since, now, 'item'));
    return differing;
  };
  expect(await checkAll()).toBe(0);
  await change(sql`update item_rollup_company set checked_at = null`);
  await change(sql`update item_rollup set inbound = inbound + 1 where company_id = ${made.id}
    and kind = 1 and dimension = 1 and by_month and key = ${made.numbers[0]} and day = '2026-10-01'`);
  await change(sql`delete from item_rollup where company_id = ${made.id} and kind = 1
    and dimension = 0 and not by_month and day = (select max(day) from item_rollup
      where company_id = ${made.id} and kind = 1 and not by_month)`);
  expect(await checkAll()).toBe(2);
  expect(await stored(made.id)).toEqual(right);
  const { rows } = await db.systemTransaction((tx) =>
    sql<object>`select company_id, checked_at, repaired_at, repaired from item_rollup_company
      where company_id in (${made.id}, ${other.id}) order by company_id`.execute(tx),
  );
  expect(rows).toEqual(
    [
      { company_id: made.id, checked_at: now, repaired_at: now, repaired: 2 },
      { company_id: other.id, checked_at: now, repaired_at: null, repaired: 0 },
    ].toSorted((a, b) => a.company_id - b.company_id),
  );
});

test('items that were there before an upgrade are counted as a fill, while others come and go', async () => {
  const r = seeded(71);
  const made = [await company(r, 'America/Denver'), await company(r, 'Asia/Tokyo')];
  await fold();
  for (const { id } of made) await forget(id);
  await change(sql`insert into background_fill (name, batch, total) values ('items', 20, 800)`);
  const items = () => fillStates(db).then((all) => all.find(({ name }) => name === 'items'));
  for (let n = 0; n < 60 && !(await items())?.finished_at; n++) {
    await workOnFills({ db, log: app.services.log }, 1);
    await correct(made[n % 2]!, r);
    if (n % 3 === 0) await fold(9);
  }
  await workOnFills({ db, log: app.services.log });
  const state = await items();
  expect(state).toMatchObject({ error: null, finished_at: expect.any(Date) });
  expect(state?.done).toBeGreaterThan(400);
  await fold();
  for (const { id } of made) {
    const counted = await stored(id);
    expect(counted.rows.length).toBeGreaterThan(200);
    await forget(id);
    await change(sql`insert into background_fill (name, batch, total) values ('items', 9999, 800)
      on conflict (name) do update set finished_at = null, place = null, batch = 9999`);
    await workOnFills({ db, log: app.services.log });
    expect(await stored(id)).toEqual(counted);
  }
});

test('the jobs count companies that have another time zone, clear old days, and recount once a night', async () => {
  const made = await company(seeded(61), 'Europe/Lisbon');
  const run = (name: string) =>
    jobs
      .find((job) => job.name === `analytics.${name}`)!
      .handler(systemCtx(app.services, made.id, app.notifier), {}, { number: 1, last: false });
  await run('foldItemRollups');
  const first = await stored(made.id);
  expect(first.pending).toBe(0);
  await change(sql`update company set timezone = 'Asia/Tokyo' where id = ${made.id}`);
  expect((await stored(made.id)).rows).toEqual([]);
  await run('fillItemRollups');
  const second = await stored(made.id);
  expect(second.rows).not.toEqual(first.rows);
  const { rows: editions } = await db.systemTransaction((tx) =>
    sql`select distinct edition from item_rollup where company_id = ${made.id}`.execute(tx),
  );
  expect(editions).toHaveLength(1);
  const spoil = () =>
    change(sql`update item_rollup set outbound = outbound + 1 where company_id = ${made.id}`);
  app.clock.value = new Date('2026-12-01T02:10:00Z');
  await run('checkItemRollups');
  await spoil();
  app.clock.value = new Date('2026-12-01T05:50:00Z');
  await run('checkItemRollups');
  expect((await stored(made.id)).rows, 'it was recounted this night').not.toEqual(second.rows);
  app.clock.value = new Date('2026-12-02T02:00:00Z');
  await run('checkItemRollups');
  expect(await stored(made.id)).toEqual(second);
});
