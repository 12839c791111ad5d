import { sql, type RawBuilder } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { firstOf } from '../../platform/must-be.ts';
import {
  baseConditionCount,
  conditionsOf,
  matchingCondition,
  resolveSearch,
  unusedSince,
  type NumberFilter,
} from './store-filter.ts';
import {
  numberSource,
  rowViewColumns,
  viewColumns,
  visibleCondition,
  type NumberRecord,
  type NumberRowView,
  type NumberView,
} from './store.ts';

/**
 * Each sort's expression and type, so that a cursor's text compares as the column does. A number
 * without calls or texts sorts as the oldest.
 */
const sorts = {
  number: [sql`n.number`, sql`text`],
  label: [sql`folded(n.label)`, sql`text`],
  status: [sql`n.status`, sql`text`],
  category: [sql`n.category`, sql`int`],
  routingType: [sql`n.routing_type`, sql`text`],
  last_call_at: [sql`coalesce(a.last_call_at, '-infinity')`, sql`timestamptz`],
  last_message_at: [sql`coalesce(a.last_message_at, '-infinity')`, sql`timestamptz`],
  purchased_at: [sql`n.purchased_at`, sql`timestamptz`],
  created_at: [sql`n.created_at`, sql`timestamptz`],
  unread_messages_count: [sql`coalesce(a.unread, 0)`, sql`int`],
} as const;
type NumberSort = keyof typeof sorts;

/** A page by cursor (`after`) or, if that is null, by page number from 1. */
interface NumberPage {
  sort: NumberSort;
  dir: 'asc' | 'desc';
  perPage: number;
  page: number;
  after: { value: string; id: number } | null;
}
/**
 * Counted up to here; more is shown as "10,000+", because counting 100,000 costs more than the
 * page.
 */
const maxCounted = 10_000;
type WithSortValue<V> = V & { sort_value: string };
/** `capped`: there are more than `total`. */
export interface Page<V> {
  rows: WithSortValue<V>[];
  total: number;
  capped: boolean;
}
/** A page of the list, by cursor or by page number. */
export const numberPage = (
  tx: Tx,
  companyId: number,
  filter: NumberFilter,
  by: NumberPage,
  only: readonly number[] | null,
  now: Date,
): Promise<Page<NumberView>> => pageOf(tx, viewColumns, companyId, filter, by, only, now);
/** The same with only the columns of a table row. */
export const numberRowPage = (
  tx: Tx,
  companyId: number,
  filter: NumberFilter,
  by: NumberPage,
  only: readonly number[] | null,
  now: Date,
): Promise<Page<NumberRowView>> => pageOf(tx, rowViewColumns, companyId, filter, by, only, now);

/**
 * Finds the page first and joins the other columns afterwards, so a sort doesn't carry them. Counts
 * in the same statement.
 */
async function pageOf<V>(
  tx: Tx,
  columns: RawBuilder<unknown>,
  companyId: number,
  requested: NumberFilter,
  page: NumberPage,
  visibleNumbers: readonly number[] | null,
  now: Date,
): Promise<Page<V>> {
  const [expression, type] = sorts[page.sort];
  const filter = await resolveSearch(tx, companyId, requested);
  const conditions = conditionsOf(companyId, filter, visibleNumbers, now);
  const where = sql.join(conditions, sql` and `);
  const direction = page.dir === 'asc' ? sql`asc` : sql`desc`;
  const cursorCondition =
    page.after === null
      ? sql`true`
      : page.dir === 'asc'
        ? sql`(${expression}, n.id) > (${page.after.value}::${type}, ${page.after.id})`
        : sql`(${expression}, n.id) < (${page.after.value}::${type}, ${page.after.id})`;
  const offset = page.after === null ? (page.page - 1) * page.perPage : 0;
  // The first page without filters is read most, and one plan fits every company. Only usual page
  // sizes, because each prepared statement is kept.
  const isPrepared =
    columns === rowViewColumns &&
    visibleNumbers === null &&
    offset === 0 &&
    page.after === null &&
    [25, 50, 100].includes(page.perPage) &&
    conditions.length === baseConditionCount &&
    !filter.status?.length &&
    !filter.withTrashed;
  const limit = isPrepared ? sql.raw(String(page.perPage)) : sql`${page.perPage}`;
  const order = sql`order by ${expression} ${direction}, n.id ${direction}`;
  const { rows } = await sql<
    WithSortValue<V> & { counted: number }
  >`${isPrepared ? prepared : sql``}
    with page as materialized (
      select n.id, (${expression})::text sort_value, row_number() over (${order}) place
      ${numberSource} where ${where} and ${cursorCondition}
      ${order} limit ${limit} offset ${offset}
    )
    select ${columns}, page.sort_value, (${countedUpToLimit(where)}) counted
    ${numberSource} join page on page.id = n.id
    where n.company_id = ${companyId} order by page.place`.execute(tx);
  const isFirstPage = offset === 0 && page.after === null;
  const count = rows[0]?.counted ?? (isFirstPage ? 0 : await numberCount(tx, where));
  return { rows, total: Math.min(count, maxCounted), capped: count > maxCounted };
}
const countedUpToLimit = (where: RawBuilder<unknown>) => sql<{ count: number }>`
  select count(*)::int count
  from (select ${numberSource} where ${where} limit ${sql.raw(String(maxCounted + 1))}) x`;
const numberCount = async (tx: Tx, where: RawBuilder<unknown>): Promise<number> =>
  (await countedUpToLimit(where).execute(tx)).rows[0]?.count ?? 0;

/** Ids of the numbers given, or of all that match, newest first; only with these statuses. */
export async function idsMatching(
  tx: Tx,
  companyId: number,
  selection: { ids: readonly number[] } | { filter: NumberFilter },
  visibleNumbers: readonly number[] | null,
  statuses: readonly string[],
  now: Date,
): Promise<number[]> {
  const where =
    'ids' in selection
      ? sql`n.company_id = ${companyId} and ${visibleCondition(visibleNumbers)}
          and n.id = any (${[...selection.ids]}::bigint[])`
      : matchingCondition(
          companyId,
          await resolveSearch(tx, companyId, selection.filter),
          visibleNumbers,
          now,
        );
  const { rows } = await sql<{ id: number }>`
    select n.id ${numberSource}
    where ${where} and n.status = any (${[...statuses]}::text[])
    order by n.created_at desc, n.id desc`.execute(tx);
  return rows.map((row) => row.id);
}

type NumberSummaryRow = Pick<
  NumberRecord,
  'id' | 'number' | 'label' | 'sms_enabled' | 'category' | 'status'
>;
/** The numbers in use that a person may see, by label, then by number. */
export async function numberSummaries(
  tx: Tx,
  companyId: number,
  visibleNumbers: readonly number[] | null,
): Promise<NumberSummaryRow[]> {
  const { rows } = await sql<NumberSummaryRow>`
    select n.id, n.number, n.label, n.sms_enabled, n.category, n.status from number n
    where n.company_id = ${companyId} and n.status not in ('released', 'pending')
      and ${visibleCondition(visibleNumbers)}
    order by folded(nullif(n.label, '')) nulls last, n.number`.execute(tx);
  return rows;
}

interface NumberCounts {
  total: number;
  local: number;
  toll_free: number;
  fax: number;
  bulk: number;
  sms_enabled: number;
  verified: number;
  in_pools: number;
  unused_30d: number;
  pending_ports: number;
  releasing: number;
}
/** Ports on their way count only for people who may see all numbers. */
export async function countNumbers(
  tx: Tx,
  companyId: number,
  visibleNumbers: readonly number[] | null,
  now: Date,
): Promise<NumberCounts> {
  const pendingPorts = visibleNumbers === null ? sql`count_porting_numbers(${companyId})` : sql`0`;
  const { rows } = await sql<NumberCounts>`
    select count(*)::int total,
      count(*) filter (where n.category = 2)::int local,
      count(*) filter (where n.category = 1)::int toll_free,
      count(*) filter (where n.category = 3)::int fax,
      count(*) filter (where n.category = 4)::int bulk,
      count(*) filter (where n.sms_enabled)::int sms_enabled,
      count(*) filter (where n.sms_verification_status = 'approved')::int verified,
      count(*) filter (where n.dni_pool_id is not null)::int in_pools,
      count(*) filter (where ${unusedSince(now)})::int unused_30d,
      ${pendingPorts} pending_ports,
      count(*) filter (where n.status = 'releasing')::int releasing
    ${numberSource}
    where n.company_id = ${companyId} and n.status not in ('released', 'pending')
      and ${visibleCondition(visibleNumbers)}`.execute(tx);
  // Aggregates without `group by` always return one row.
  return firstOf(rows);
}
/** Area codes with how many numbers a person may see in each, most first. */
export async function countByAreaCode(
  tx: Tx,
  companyId: number,
  visibleNumbers: readonly number[] | null,
): Promise<{ area_code: string; n: number }[]> {
  const { rows } = await sql<{ area_code: string; n: number }>`
    select n.area_code, count(*)::int n from number n
    where n.company_id = ${companyId} and n.status not in ('released', 'pending')
      and n.area_code <> '' and ${visibleCondition(visibleNumbers)}
    group by n.area_code order by n desc, n.area_code`.execute(tx);
  return rows;
}
/** The labels of numbers by ID; unknown IDs are left out. */
export const numberLabels = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, string>> =>
  new Map(
    (
      await tx
        .selectFrom('number')
        .select(['id', 'label'])
        .where('company_id', '=', companyId)
        .where('id', 'in', ids.length ? [...ids] : [0])
        .execute()
    ).map(({ id, label }) => [id, label]),
  );
