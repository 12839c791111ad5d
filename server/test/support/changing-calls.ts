import { sql, type RawBuilder } from 'kysely';
import { fillRollup, foldRollups } from '../../src/modules/analytics/query/store-rollups-upkeep.ts';
import { companyWithCalls } from './company-with-calls.ts';
import { randomCalls, type seeded } from './random-calls.ts';
import type { TestApp } from './test-app.ts';

type Random = ReturnType<typeof seeded>;
/** A company of `changingCalls`. */
export type CompanyOfCalls = Awaited<ReturnType<ReturnType<typeof changingCalls>['company']>>;

/** The rows as they compare whatever their order. */
export const inOrder = (rows: object[]): string[] =>
  rows.map((row) => JSON.stringify(row)).toSorted();

/** Companies whose calls change, and the jobs that add them up. */
export function changingCalls(app: TestApp) {
  const { db } = app.services;
  async function company(seed: number, tz: string) {
    const made = await companyWithCalls(app, seed, 150);
    const {
      numbers,
      users,
      tags,
      company: { id },
    } = made;
    await randomCalls(
      app,
      id,
      { numbers, users: users.map((u) => u.id), tags, from: '2026-02-20T00:00:00Z', days: 280 },
      { count: 350, seed: seed + 50 },
    );
    await db.systemTransaction((tx) =>
      sql`update company set timezone = ${tz} where id = ${id}`.execute(tx),
    );
    return { ...made, id, tz };
  }
  const fold = async (most = 1000) => {
    while ((await db.systemTransaction((tx) => foldRollups(tx, most))) > 0);
  };
  const fill = async () => {
    while (await db.systemTransaction((tx) => fillRollup(tx)));
  };

  /** Changes some calls in one of the ways that calls change. */
  async function correct(
    { id, numbers, users }: Awaited<ReturnType<typeof company>>,
    r: Random,
    which = sql`true`,
  ) {
    const ways = [
      () => sql`update call set outcome = ${r.below(5)}, talk_seconds = ${r.below(400)}`,
      () => sql`update call set qualified = not qualified, lead = ${r.is(0.5)}`,
      () => sql`update call set value_cents = ${r.oneOf([null, 5000])}`,
      () => sql`update call set source = jsonb_build_object('key', 'bing', 'label',
        ${r.oneOf(['Bing', 'Microsoft Bing'])}::text, 'campaign', ${r.oneOf(['', 'Fall'])}::text)`,
      () => sql`update call set source = null, spam = true`,
      () => sql`update call set number_id = ${r.oneOf(numbers)}::bigint`,
      () => sql`update call set answered_user_id = ${r.oneOf(users).id}::bigint, ring_seconds = 3`,
      () => sql`update call set started_at = started_at + ${r.below(90) - 45} * interval '1 day'`,
      () => sql`update call set outbound = not outbound, first_contact = not first_contact`,
    ];
    await db.systemTransaction((tx) =>
      sql`${r.oneOf(ways)()} where company_id = ${id} and id % 13 = ${r.below(13)} and ${which}`.execute(
        tx,
      ),
    );
    if (r.is(0.4)) await remove(id, r.below(41), which);
  }
  /** Deletes one call in 41. */
  const remove = (id: number, rest: number, which: RawBuilder<unknown>) =>
    db.systemTransaction(async (tx) => {
      const gone = sql`select id from call
        where company_id = ${id} and id % 41 = ${rest} and ${which}`;
      for (const table of ['transcription', 'recording', 'call_tag'])
        await sql`delete from ${sql.table(table)} where company_id = ${id} and call_id in (${gone})`.execute(
          tx,
        );
      await sql`delete from call where company_id = ${id} and id in (${gone})`.execute(tx);
    });
  /** All of a company’s sums that say anything, and what isn’t added up. */
  const stored = (id: number) =>
    db.systemTransaction(async (tx) => {
      const { rows } = await sql<object>`select r.* from call_rollup r
        join call_rollup_company s using (company_id, edition)
        where company_id = ${id} and calls <> 0`.execute(tx);
      const { rows: pending } = await sql`select from call_rollup_change
        where company_id = ${id}`.execute(tx);
      return { rows: inOrder(rows), pending: pending.length };
    });
  /** The sums that a company has when its calls are counted anew. */
  async function recounted(id: number) {
    await db.systemTransaction((tx) =>
      sql`delete from call_rollup where company_id = ${id}`.execute(tx),
    );
    await db.systemTransaction((tx) =>
      sql`update call_rollup_company set counted_from = 'infinity' where company_id = ${id}`.execute(
        tx,
      ),
    );
    await fill();
    return stored(id);
  }
  return { company, fold, fill, correct, stored, recounted };
}
