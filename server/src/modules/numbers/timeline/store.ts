import { sql } from 'kysely';
import { oneRow, prepared, type Tx } from '../../../platform/db.ts';

export interface EventRow {
  id: number;
  at: Date;
  type: string;
  actor_type: string;
  actor_id: number | null;
  actor_name: string;
  summary: string;
  before: unknown;
  after: unknown;
}
/** Which entries are wanted. `types` null: all; `before` null: from the newest. */
export interface TimelinePage {
  types: readonly string[] | null;
  before: { at: Date; id: number } | null;
  limit: number;
}

interface NewEvent {
  number_id: number;
  at: Date;
  type: string;
  actor_type: string;
  actor_id: number | null;
  actor_name: string;
  summary: string;
  before: unknown;
  after: unknown;
  source: string | null;
}

const json = (value: unknown) =>
  value === undefined || value === null ? null : JSON.stringify(value);
/** Adds an entry; one with a `source` is added once. */
export const insertEvent = (tx: Tx, companyId: number, { before, after, ...event }: NewEvent) =>
  tx
    .insertInto('number_event')
    .values({ ...event, company_id: companyId, before: json(before), after: json(after) })
    .onConflict((c) =>
      c.columns(['company_id', 'number_id', 'source']).where('source', 'is not', null).doNothing(),
    )
    .execute();

/** Which of these numbers have a row, in whatever status. */
export const existingNumbers = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<ReadonlySet<number>> =>
  new Set(
    (
      await tx
        .selectFrom('number')
        .select('id')
        .where('company_id', '=', companyId)
        .where('id', 'in', ids.length ? [...ids] : [0])
        .execute()
    ).map((row) => row.id),
  );

/**
 * The newest row of a number in this company, also if it was released. Undefined: none that is
 * visible.
 */
export const latestNumberOf = async (
  tx: Tx,
  companyId: number,
  number: string,
  visibleNumbers: readonly number[] | null,
) =>
  (
    await sql<{
      id: number;
      number: string;
      label: string;
      purchased_at: Date;
      dni_pool_id: number | null;
    }>`select n.id, n.number, n.label, n.purchased_at, n.dni_pool_id from number n
    where n.company_id = ${companyId} and n.number = ${number} and n.status <> 'pending'
      ${visibleNumbers === null ? sql`` : sql`and n.id = any (${[...visibleNumbers]}::bigint[])`}
      order by n.purchased_at desc, n.id desc limit 1`.execute(tx)
  ).rows[0];

/**
 * A number's events, and its texts as one entry a day, at the time of the last one. That entry's ID
 * is the day's number, negative so that it differs from IDs of events.
 */
const timelineSource = (companyId: number, numberId: number) => sql`(
  select e.id, e.at, e.type, e.actor_type, e.actor_id, e.actor_name, e.summary, e.before, e.after
    from number_event e where e.company_id = ${companyId} and e.number_id = ${numberId}
  union all select -(d.day - date '2020-01-01')::bigint, d.last_message_at, 'message',
    'system', null, '', case d.messages when 1 then '1 text' else d.messages || ' texts' end
    || ' on this day', null, jsonb_build_object('count', d.messages)
    from number_usage_day d where d.company_id = ${companyId} and d.number_id = ${numberId})`;

/** A page, newest first. */
export async function eventPage(
  tx: Tx,
  companyId: number,
  numberId: number,
  page: TimelinePage,
): Promise<EventRow[]> {
  return (
    await sql<EventRow>`select * from ${timelineSource(companyId, numberId)} l
      where ${page.types === null ? sql`true` : sql`l.type = any (${[...page.types]}::text[])`}
    and ${
      page.before === null
        ? sql`true`
        : sql`(l.at, l.id) < (${page.before.at}::timestamptz,
        ${page.before.id}::bigint)`
    }
      order by l.at desc, l.id desc limit ${page.limit}`.execute(tx)
  ).rows;
}
/** Counts events, and days with texts as one each. */
export const countEvents = async (tx: Tx, companyId: number, numberId: number): Promise<number> =>
  (
    await oneRow(
      tx,
      sql<{
        n: number;
      }>`select count(*)::int n from ${timelineSource(companyId, numberId)} l`,
    )
  ).n;

export interface TextUsage {
  numberId: number;
  /** Change of the unread count. */
  unread: number;
  /** Texts sent or received. */
  texts: number;
}
/**
 * Adds texts, in both directions: first to the counts of the day, then to what lists show, each in
 * order of number IDs so that concurrent calls can't deadlock.
 */
export async function recordTexts(
  tx: Tx,
  companyId: number,
  usage: readonly TextUsage[],
  at: Date,
): Promise<void> {
  const sorted = [...usage].sort((a, b) => a.numberId - b.numberId);
  await sql`${prepared}with texted as materialized (
      select * from unnest(${sorted.map((t) => t.numberId)}::bigint[],
          ${sorted.map((t) => t.unread)}::int[],
          ${sorted.map((t) => t.texts)}::int[]) with ordinality t(number_id, unread, texts, n)
        order by n),
    day as (insert into number_usage_day as d (company_id, number_id, day,
          messages, last_message_at)
        select ${companyId}, number_id, (${at}::timestamptz at time zone 'UTC')::date, texts,
        ${at}::timestamptz from texted order by n
      on conflict (company_id, number_id, day) do update
        set messages = d.messages + excluded.messages,
        last_message_at = greatest(d.last_message_at, excluded.last_message_at) returning number_id)
    insert into number_activity as a (company_id, number_id, unread, last_message_at)
      select ${companyId}, t.number_id, t.unread, ${at}::timestamptz
      from texted t cross join (select count(*) from day) done order by t.n
      on conflict (company_id, number_id) do update
        set unread = greatest(0, a.unread + excluded.unread),
        last_message_at = greatest(a.last_message_at, excluded.last_message_at)`.execute(tx);
}
