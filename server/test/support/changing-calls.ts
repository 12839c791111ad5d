import { sql, type RawBuilder } from 'kysely';
import { fillRollup, foldRollups } from '../../src/modules/analytics/query/store-rollups-upkeep.ts';
import { companyWithCalls } from './company-with-calls.ts';
import { sentiments } from '#contract/analytics/call-analytics/rules';
import { randomCalls, seeded } from './random-calls.ts';
import type { TestApp } from './test-app.ts';

type Random = ReturnType<typeof seeded>;
/** What can be found in a company’s transcripts. */
interface Heard {
  id: number;
  lists: readonly number[];
}
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
    const lists = [1, 2, 3].map((n) => id * 10 + n);
    await db.systemTransaction(async (tx) => {
      await sql`update company set timezone = ${tz} where id = ${id}`.execute(tx);
      await sql`insert into phrase_list (company_id, id, name, phrases, said_by, at_least, created_at,
          updated_at)
        select ${id}, l, l::text, '{please}', 'either', 1, now(), now()
        from unnest(${lists}::bigint[]) l`.execute(tx);
    });
    for (const list of lists) await hear({ id, lists: [list] }, seeded(seed + list), sql`true`);
    return { ...made, id, tz, lists };
  }
  const fold = async (most = 1000) => {
    while ((await db.systemTransaction((tx) => foldRollups(tx, most))) > 0);
  };
  const fill = async () => {
    while (await db.systemTransaction((tx) => fillRollup(tx)));
  };

  /** Finds phrases of a list in some transcripts. */
  const hear = ({ id, lists }: Heard, r: Random, which: RawBuilder<unknown>) =>
    db.systemTransaction((tx) =>
      sql`insert into phrase_hit (company_id, list_id, transcription_id, call_id, called_at, spoken,
          is_rough)
        select t.company_id, ${r.oneOf(lists)}::bigint, t.id, t.call_id, now(), '[]', false
        from transcription t
        where t.company_id = ${id} and t.call_id % 5 = ${r.below(5)}
          and t.call_id in (select id from call where company_id = ${id} and ${which})
          and exists (select from phrase_list l where l.company_id = ${id})
        on conflict do nothing`.execute(tx),
    );
  /** Changes some calls in one of the ways that calls change. */
  async function correct(made: Awaited<ReturnType<typeof company>>, r: Random, which = sql`true`) {
    if (r.is(0.5)) await changeCalls(made, r, which);
    else await changeFacts(made, r, which);
    if (r.is(0.4)) await remove(made.id, r.below(41), which);
  }
  /** Changes what calls have in other tables: tags, transcripts, and what was found in these. */
  async function changeFacts(
    made: Awaited<ReturnType<typeof company>>,
    r: Random,
    which: RawBuilder<unknown>,
  ) {
    const { id, tags } = made;
    const some = sql`company_id = ${id} and call_id % 11 = ${r.below(11)}
      and call_id in (select id from call where company_id = ${id} and ${which})`;
    const [gone, kept] = [r.oneOf(tags), r.oneOf(tags)];
    const ways = [
      () => sql`delete from call_tag where ${some} and tag_id = ${gone}`,
      () => sql`insert into call_tag (company_id, call_id, tag_id)
        select company_id, id, ${kept}::bigint from call
        where company_id = ${id} and id % 7 = ${r.below(7)} and ${which} on conflict do nothing`,
      () => sql`with these as (delete from call_tag where ${some} and tag_id = ${gone} returning *)
        insert into call_tag (company_id, call_id, tag_id)
        select company_id, call_id, ${kept}::bigint from these where ${gone} <> ${kept}
        on conflict do nothing`,
      () => sql`update call_tag set tag_id = ${kept}::bigint where ${some} and tag_id = ${gone}
        and not exists (select from call_tag o where o.company_id = call_tag.company_id
          and o.call_id = call_tag.call_id and o.tag_id = ${kept})`,
      () => sql`update transcription set metadata = jsonb_build_object('sentiment',
        jsonb_build_object('overall', ${r.oneOf(sentiments)}::text)) where ${some}`,
      () => sql`update transcription set metadata = null, state = 'processing' where ${some}`,
      () => sql`delete from transcription where ${some}`,
      () => sql`delete from phrase_hit where ${some}`,
      () => sql`update phrase_hit set spoken = '[{}]' where ${some}`,
    ];
    if (r.is(0.3)) await hear(made, r, which);
    await db.systemTransaction((tx) => r.oneOf(ways)().execute(tx));
  }
  /** Deletes a phrase list with all that it found. */
  const forget = (id: number, list: number) =>
    db.systemTransaction((tx) =>
      sql`delete from phrase_list where company_id = ${id} and id = ${list}`.execute(tx),
    );
  async function changeCalls(
    { id, numbers, users }: Awaited<ReturnType<typeof company>>,
    r: Random,
    which: RawBuilder<unknown>,
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
      () => sql`update call set caller_state = ${r.oneOf(['NY', 'WA', '', null])}`,
    ];
    await db.systemTransaction((tx) =>
      sql`${r.oneOf(ways)()} where company_id = ${id} and id % 13 = ${r.below(13)} and ${which}`.execute(
        tx,
      ),
    );
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
      sql`update call_rollup_company set counted_from = 'infinity', more_counted_from = 'infinity'
        where company_id = ${id}`.execute(tx),
    );
    await fill();
    return stored(id);
  }
  return { company, fold, fill, correct, forget, stored, recounted };
}
