import type { SlotState } from '#contract/tracking/pool-rules';
import { sql } from 'kysely';
import { oneRow, type Tx } from '../../../platform/db.ts';

/** A number in a pool and what it is doing. */
export interface SlotView {
  pool_id: number;
  number_id: number;
  number: string;
  state: SlotState;
  position: number;
}

/** What a number in a pool is doing at `now`; `s` is the slot and `p` its pool. */
const stateOf = (now: Date) => sql`case when p.mode = 'source' then 'static'
  when s.leased_until > ${now} then 'leased'
  when s.leased_until + make_interval(mins => (p.settings->>'quarantineMinutes')::int) > ${now}
    then 'quarantine'
  else 'free' end`;

/** The numbers of these pools that a person sees (null: all), in the order in which they joined. */
export const slotsOf = async (
  tx: Tx,
  companyId: number,
  poolIds: readonly number[],
  visibleNumbers: readonly number[] | null,
  now: Date,
): Promise<SlotView[]> =>
  (
    await sql<SlotView>`select s.pool_id, s.number_id, s.number, s.position,
        ${stateOf(now)} as state
      from tracking_pool_number s
      join tracking_pool p on p.company_id = s.company_id and p.id = s.pool_id
      where s.company_id = ${companyId} and s.pool_id = any (${[...poolIds]}::bigint[])
        and ${visibleNumbers === null ? sql`true` : sql`s.number_id = any (${[...visibleNumbers]}::bigint[])`}
      order by s.pool_id, s.position`.execute(tx)
  ).rows;

/** Figures of pools, from their leases and visits. */
interface PoolFigures {
  pool_id: number;
  sessions_24h: number;
  exhausted_24h: number;
  peak_7d: number;
  last_swap_at: Date | null;
  last_seen_at: Date | null;
}
const DAY_MS = 86_400_000;

/** Visits of the last day, the most leases at once in seven days, and when the last visit began. */
export async function poolFigures(
  tx: Tx,
  companyId: number,
  poolIds: readonly number[],
  now: Date,
): Promise<Map<number, PoolFigures>> {
  const ids = sql`${[...poolIds]}::bigint[]`;
  const weekAgo = new Date(now.getTime() - 7 * DAY_MS);
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const { rows } = await sql<PoolFigures>`
    with recent as (
      select pool_id, started_at, least(coalesce(ended_at, expires_at), expires_at) as over_at
      from tracking_lease where company_id = ${companyId} and pool_id = any (${ids})
        and started_at > ${weekAgo}
    ), moves as (
      select pool_id, started_at as at, 1 as step from recent
      union all select pool_id, over_at, -1 from recent
    ), running as (
      select pool_id, sum(step) over (partition by pool_id order by at, step) as live from moves
    ), peaks as (
      select pool_id, max(live)::int as peak from running group by pool_id
    )
    select p.id as pool_id, coalesce(k.peak, 0) as peak_7d, v.*,
      (select started_at from tracking_visit l where l.company_id = p.company_id
        and l.pool_id = p.id order by started_at desc limit 1) as last_seen_at,
      (select started_at from tracking_visit l where l.company_id = p.company_id
        and l.pool_id = p.id and l.outcome <> 'none' order by started_at desc limit 1)
        as last_swap_at
    from tracking_pool p left join peaks k on k.pool_id = p.id
    cross join lateral (select count(*)::int as sessions_24h,
        count(*) filter (where outcome in ('exhausted', 'shared'))::int as exhausted_24h
      from tracking_visit t where t.company_id = p.company_id and t.pool_id = p.id
        and t.started_at > ${dayAgo}) v
    where p.company_id = ${companyId} and p.id = any (${ids})`.execute(tx);
  return new Map(rows.map((row) => [row.pool_id, row]));
}

/** Gives a number its place in a pool, after the others. Nothing changes if it has it already. */
export async function insertSlot(
  tx: Tx,
  companyId: number,
  poolId: number,
  number: { id: number; number: string },
  now: Date,
): Promise<void> {
  await touchPool(tx, companyId, poolId, now);
  await sql`insert into tracking_pool_number (company_id, number_id, pool_id, number, position, joined_at)
    values (${companyId}, ${number.id}, ${poolId}, ${number.number},
      (select coalesce(max(position), 0) + 1 from tracking_pool_number
        where company_id = ${companyId} and pool_id = ${poolId}), ${now})
    on conflict (company_id, number_id) do nothing`.execute(tx);
}

/**
 * Writes a pool's row before its numbers change: processes that keep pools see by it that they do
 * (`setupMark`). Before, because changes of a pool lock its row first.
 */
const touchPool = (tx: Tx, companyId: number, poolId: number, now: Date) =>
  sql`update tracking_pool set updated_at = ${now}
    where company_id = ${companyId} and id = ${poolId}`.execute(tx);

/** The pool that a number is in; undefined: none. */
const poolOf = async (tx: Tx, companyId: number, numberId: number) =>
  (
    await sql<{ pool_id: number }>`select pool_id from tracking_pool_number
      where company_id = ${companyId} and number_id = ${numberId}`.execute(tx)
  ).rows[0]?.pool_id;

/** Takes a number's place in its pool away and ends its leases. */
export async function deleteSlot(
  tx: Tx,
  companyId: number,
  numberId: number,
  now: Date,
): Promise<void> {
  const poolId = await poolOf(tx, companyId, numberId);
  if (poolId !== undefined) await touchPool(tx, companyId, poolId, now);
  // The place before its leases, as visits lock them.
  await sql`select from tracking_pool_number
    where company_id = ${companyId} and number_id = ${numberId} for update`.execute(tx);
  await sql`update tracking_lease set ended_at = least(expires_at, ${now})
    where company_id = ${companyId} and number_id = ${numberId} and ended_at is null`.execute(tx);
  await tx
    .deleteFrom('tracking_pool_number')
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .execute();
}

/** Ends a pool's leases: its numbers are free of visitors at once. */
export async function endLeases(
  tx: Tx,
  companyId: number,
  poolId: number,
  now: Date,
): Promise<void> {
  await sql`select from tracking_pool_number
    where company_id = ${companyId} and pool_id = ${poolId} order by number_id
    for update`.execute(tx);
  await sql`update tracking_lease set ended_at = least(expires_at, ${now})
    where company_id = ${companyId} and pool_id = ${poolId} and ended_at is null`.execute(tx);
  await sql`update tracking_pool_number set leased_until = ${now}
    where company_id = ${companyId} and pool_id = ${poolId} and leased_until > ${now}`.execute(tx);
}

/** How many numbers of a pool visitors are seeing now. */
export const liveLeases = async (
  tx: Tx,
  companyId: number,
  poolId: number,
  now: Date,
): Promise<number> =>
  (
    await oneRow(
      tx,
      sql<{ n: number }>`select count(*)::int n from tracking_pool_number
        where company_id = ${companyId} and pool_id = ${poolId} and leased_until > ${now}`,
    )
  ).n;

/**
 * The number that the next visitor would get: of those that are free, the one that was idle
 * longest. Null: none is free.
 */
export async function nextFreeNumber(
  tx: Tx,
  companyId: number,
  poolId: number,
  quarantineMinutes: number,
  now: Date,
): Promise<string | null> {
  const freeSince = new Date(now.getTime() - quarantineMinutes * 60_000);
  const { rows } = await sql<{ number: string }>`select number from tracking_pool_number
    where company_id = ${companyId} and pool_id = ${poolId}
      and (leased_until is null or leased_until <= ${freeSince})
    order by leased_until nulls first, position limit 1`.execute(tx);
  return rows[0]?.number ?? null;
}

/** The number of the oldest lease, which the next visitor would share. Null: the pool has none. */
export async function numberToShare(
  tx: Tx,
  companyId: number,
  poolId: number,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ number: string }>`select s.number from tracking_pool_number s
    join tracking_lease l on l.company_id = s.company_id and l.id = s.lease_id
    where s.company_id = ${companyId} and s.pool_id = ${poolId} and s.leased_until > ${now}
    order by l.started_at limit 1`.execute(tx);
  return rows[0]?.number ?? null;
}

/**
 * Gives a number's place in its pool to another and ends its leases. Returns the pool; null: it is in
 * none, also when this was done before.
 */
export async function replaceSlot(
  tx: Tx,
  companyId: number,
  numberId: number,
  by: { id: number; number: string },
  now: Date,
): Promise<number | null> {
  const poolId = await poolOf(tx, companyId, numberId);
  if (poolId === undefined) return null;
  await touchPool(tx, companyId, poolId, now);
  const { rows } = await sql<{ pool_id: number; position: number }>`
    select pool_id, position from tracking_pool_number
    where company_id = ${companyId} and number_id = ${numberId} for update`.execute(tx);
  const [slot] = rows;
  if (!slot) return null;
  await deleteSlot(tx, companyId, numberId, now);
  await sql`insert into tracking_pool_number
      (company_id, number_id, pool_id, number, position, joined_at)
    values (${companyId}, ${by.id}, ${slot.pool_id}, ${by.number}, ${slot.position}, ${now})
    on conflict (company_id, number_id) do nothing`.execute(tx);
  return slot.pool_id;
}
