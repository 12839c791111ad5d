import { sql } from 'kysely';
import { oneRow, type Tx } from '../../../platform/db.ts';
import type { Demand } from './rules.ts';

const isGrowing = sql`auto_scale_by is not null and deleted_at is null and status = 'active'
  and mode = 'visitor'`;

/** Companies with pools that buy numbers. `tx` is of the system role. */
export const companiesWithGrowth = async (tx: Tx): Promise<number[]> =>
  (
    await sql<{ company_id: number }>`select distinct company_id from tracking_pool
      where ${isGrowing} order by company_id`.execute(tx)
  ).rows.map((row) => row.company_id);

/** A company's pools that buy numbers. */
export const growingPools = async (tx: Tx, companyId: number): Promise<number[]> =>
  (
    await sql<{ id: number }>`select id from tracking_pool
      where company_id = ${companyId} and ${isGrowing} order by id`.execute(tx)
  ).rows.map((row) => row.id);

/** How busy a pool was since `since`. A lease is at most twelve hours long. */
export const demandOf = (
  tx: Tx,
  companyId: number,
  poolId: number,
  since: { peak: Date; ranOut: Date },
): Promise<Demand> =>
  oneRow(
    tx,
    sql<Demand>`with held as (
        select greatest(started_at, ${since.peak}::timestamptz) as from_at, number_id,
          least(coalesce(ended_at, expires_at), expires_at) as over_at
        from tracking_lease where company_id = ${companyId} and pool_id = ${poolId}
          and started_at > ${since.peak}::timestamptz - interval '12 hours'
      ), moves as (
        select from_at as at, 1 as step from held where over_at > ${since.peak}::timestamptz
        union all select over_at, -1 from held where over_at > ${since.peak}::timestamptz
      ), running as (
        select sum(step) over (order by at, step) as live from moves
      )
      select coalesce(max(live), 0)::int as peak,
        exists (select from tracking_visit where company_id = ${companyId} and pool_id = ${poolId}
          and started_at > ${since.ranOut}::timestamptz
          and outcome in ('exhausted', 'shared')) as "ranOut"
      from running`,
  );
