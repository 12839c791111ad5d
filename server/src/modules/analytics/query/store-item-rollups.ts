import { sql, type RawBuilder } from 'kysely';
import { isTimeGroup } from '#contract/analytics/call-analytics/rules';
import type { Tx } from '../../../platform/db.ts';
import { allItems, type ItemRollupQuestion } from './item-rollup-question.ts';
import type { ItemRow, ItemsAsked, Place } from './items-asked.ts';
import type { Known } from './store-known.ts';
import { isCounted, pointOf } from './store-rollups.ts';

type Sql = RawBuilder<unknown>;

/** Kinds of items, as the database numbers them (366_item_rollups.sql). */
const kinds = { message: 1, voicemail: 2, fax: 3 } as const;

/** In which company, as SQL says it; whose numbers are counted is in the question. */
type Where = Pick<Place, 'companyId' | 'organizationId'>;

/** Sums of items by day, or month where the question has them, as a query. */
function sumsIn(
  companyId: Known<number>,
  { kind, tz, range, direction }: ItemsAsked,
  { dimension, keys, spans, lastDay }: ItemRollupQuestion,
  edition: Sql,
): Sql {
  const [of, by] = [sql`${sql.lit(kinds[kind])}::smallint`, sql`${sql.lit(dimension)}::smallint`];
  const column = (name: 'inbound' | 'outbound') =>
    direction === 'all' || direction === name ? sql.ref(name) : sql`0 ${sql.ref(name)}`;
  const select = sql`select day, key, ${column('inbound')}, ${column('outbound')}`;
  const wanted = sql.join(
    [...keys.map((some) => sql`key = any(${[...some]}::bigint[])`), sql`true`],
    sql` and `,
  );
  const counted = spans.map(
    ({ byMonth, from, to }) => sql`${select} from item_rollup
      where company_id = ${companyId} and edition = ${edition} and kind = ${of}
        and dimension = ${by} and by_month = ${byMonth}
        and day >= ${from}::date and day <= ${to}::date and ${wanted}`,
  );
  const pending = sql`${select} from pending_item_rollup(${companyId}, ${of}, ${by}, ${tz})
    where day >= ${range.start}::date and day <= ${lastDay}::date and ${wanted}`;
  const rest = range.until
    ? [
        sql`${select} from counted_item_rollup(${companyId}, ${of}, ${by}, ${tz},
            ${range.end}::date::timestamp at time zone ${tz},
            (${range.end}::date + ${range.until}::time) at time zone ${tz})
          where ${wanted}`,
      ]
    : [];
  return sql.join([...counted, pending, ...rest], sql` union all `);
}

/** What a row of sums is of, in a group. */
function keyOf({ companyId, organizationId }: Where, { group }: ItemsAsked): Sql {
  if (isTimeGroup(group)) return pointOf(group);
  switch (group) {
    case 'none':
      return sql`'all'`;
    case 'company':
      return sql`${companyId}::text`;
    case 'business_unit':
      return sql`${organizationId}::text`;
    case 'number':
      return sql`key`;
    case 'user':
      return sql`nullif(key, 0)`;
  }
}

/**
 * What `itemsQuery` counts text by text, from sums that were added up as texts came and went, and
 * from what isn't added up yet.
 */
export const addedUpItems = (
  where: Where,
  asked: ItemsAsked,
  rollup: ItemRollupQuestion,
  edition: Sql,
): Sql =>
  sql`select key::text "key", inbound, outbound from (
    select ${keyOf(where, asked)} key, sum(inbound)::int inbound, sum(outbound)::int outbound
    from (${sumsIn(where.companyId, asked, rollup, edition)}) r
    group by 1 having sum(inbound) <> 0 or sum(outbound) <> 0) p`;

/**
 * How many items a company has by key, from their sums. Null: they aren't counted by the days of the
 * question's zone, or there are fewer than `fewest` in these days, which are counted one by one. One
 * statement, so that no other zone comes between choosing and reading.
 */
export async function sumsOfItems(
  tx: Tx,
  where: Where & { companyId: number },
  asked: ItemsAsked,
  rollup: ItemRollupQuestion,
  fewest: number,
): Promise<ItemRow[] | null> {
  const { companyId } = where;
  const all = sumsIn(
    companyId,
    { ...asked, direction: 'all' },
    allItems(rollup),
    sql.ref('s.edition'),
  );
  const { rows } = await sql<{ [K in keyof ItemRow]: ItemRow[K] | null }>`
    with counted as materialized (
      select s.edition from item_rollup_company s
      where s.company_id = ${companyId} and s.timezone = ${asked.tz}
        and ${isCounted('s', 0, asked.range)}
        and (select coalesce(sum(inbound + outbound), 0) from (${all}) n) >= ${fewest}::float8)
    select r.* from counted c
    left join lateral (${addedUpItems(where, asked, rollup, sql`c.edition`)}) r on true`.execute(
    tx,
  );
  if (rows.length === 0) return null;
  return rows.flatMap(({ key, inbound, outbound }) =>
    inbound === null || outbound === null ? [] : [{ key, inbound, outbound }],
  );
}
