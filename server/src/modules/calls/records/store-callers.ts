/** How many different parties called: from gaps that were counted (decision 0139). */
import { sql } from 'kysely';
import { prepared, type Tx } from '../../../platform/db.ts';

/** Calls of a number whose names are looked at. */
const NEWEST = 20;

/** What networks lately called who has these numbers, in lower case, by the number. */
export async function callerNamesOf(
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  const { rows } = await sql<{ number: string; names: string[] }>`
    select asked.number, array_agg(distinct lower(c.caller_name)) names
    from unnest(${[...numbers]}::text[]) asked(number) cross join lateral (
      select k.caller_name from call k
      where k.company_id = ${companyId} and k.party = asked.number
      order by k.started_at desc limit ${NEWEST}) c
    where c.caller_name is not null group by 1`.execute(tx);
  return new Map(rows.map(({ number, names }) => [number, new Set(names)]));
}

/** From a moment to before another. */
interface Span {
  from: Date;
  to: Date;
}
/** The callers of no more calls than these are grouped call by call. */
const MOST_GROUPED = 5000;
const DAY = 86_400_000;

/**
 * How many different parties called these numbers (null: all) within a span. Exact.
 * @param calls how many incoming calls that span has there
 */
export async function uniqueCallers(
  tx: Tx,
  companyId: number,
  span: Span,
  { only, calls }: { only: readonly number[] | null; calls: number },
  mostGrouped = MOST_GROUPED,
): Promise<number> {
  const first = new Date(Math.ceil(span.from.getTime() / DAY) * DAY);
  const end = new Date(Math.floor(span.to.getTime() / DAY) * DAY);
  // Callers of some numbers can't be added up: one may have called two of them.
  return only === null && calls > mostGrouped && first < end
    ? addedCallers(tx, companyId, span, { first, end })
    : groupedCallers(tx, companyId, span, only);
}

async function groupedCallers(
  tx: Tx,
  companyId: number,
  { from, to }: Span,
  only: readonly number[] | null,
): Promise<number> {
  const numbers = only === null ? sql`true` : sql`number_id = any (${[...only]}::bigint[])`;
  // Grouped, because `count(distinct)` sorts; from the index call_figures alone. Fenced, so that the
  // planner doesn't read all calls in the order of their parties instead.
  const { rows } = await sql<{ n: number }>`${prepared}
    with theirs as materialized (select party from call
      where company_id = ${companyId} and not outbound and ${numbers}
        and started_at >= ${from} and started_at < ${to})
    select count(*)::int n from (select from theirs group by party) p`.execute(tx);
  return rows[0]?.n ?? 0;
}

/**
 * Callers of the whole UTC days between `first` and `end`, whose gap begins before them, and what
 * the counted gaps don't say: who called in the rest of the span, and what changed since they were
 * counted. Those parties are looked at one by one.
 */
async function addedCallers(
  tx: Tx,
  companyId: number,
  { from, to }: Span,
  { first, end }: { first: Date; end: Date },
): Promise<number> {
  const called = sql`company_id = ${companyId} and not outbound`;
  const { rows } = await sql<{ n: number }>`${prepared}
    with edge as materialized (
      select party from call where ${called} and started_at >= ${from} and started_at < ${first}
      union
      select party from call where ${called} and started_at >= ${end} and started_at < ${to}),
    changed as materialized (
      select party, sum(way)::int net from caller_change
      where company_id = ${companyId} and at >= ${first} and at < ${end} group by party),
    looked_at as materialized (
      select party, (e.party is not null)::int at_edge, coalesce(net, 0) net
      from edge e full join changed using (party)),
    found as (
      select greatest(l.at_edge, (c.n > 0)::int) - (c.n > l.net)::int more
      from looked_at l cross join lateral (
        select count(*)::int n from (select from call where ${called} and party = l.party
          and started_at >= ${first} and started_at < ${end}
          limit greatest(l.net, 0) + 1) few) c)
    select (${countedCallers(companyId, first, end)})
      + (select coalesce(sum(more), 0) from found)::int n`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** The parties of whole days as they were last counted: months where they are whole, else days. */
const countedCallers = (companyId: number, first: Date, end: Date) => {
  const day = (at: Date) => sql`${at.toISOString().slice(0, 10)}::date`;
  const month = (at: Date) => sql`date_trunc('month', ${day(at)}::timestamp)::date`;
  const gaps = (isMonth: boolean) => sql`(
    select sum(parties) from caller_gap g where g.company_id = ${companyId}
      and g.seen_month = s.monthly and g.before_month = ${sql.lit(isMonth)} and g.seen = s.at
      and ${isMonth ? sql`g.before < m.begun` : sql`g.before >= m.begun and g.before < ${day(first)}`})`;
  return sql`
    select coalesce(sum(coalesce(${gaps(true)}, 0) + coalesce(${gaps(false)}, 0)), 0)::int
    from (select ${month(first)} begun, ${month(end)} ended,
        (${month(first)} + case when ${month(first)} = ${day(first)} then interval '0' else interval '1 month' end)::date whole
      ) m
    cross join lateral (
      select true monthly, at::date at from generate_series(m.whole::timestamp, m.ended - interval '1 day', '1 month') at
      union all
      select false, at::date from generate_series(${day(first)}::timestamp, ${day(end)} - interval '1 day', '1 day') at
      where at < m.whole or at >= greatest(m.whole, m.ended)) s`;
};

/** Adds up changes of up to `most` callers, of all companies; returns how many were there. */
export async function foldCallerChanges(tx: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select fold_callers(${most}) n`.execute(tx);
  return rows[0]?.n ?? 0;
}
