import type { PoolMode, PoolStatus } from '#contract/tracking/pool-rules';
import { poolSettings, type PoolSettings } from '#contract/tracking/pool-schemas';
import { sql, type Selectable } from 'kysely';
import { oneRow, type Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { hasFolded } from '../../../platform/folded.ts';

export interface PoolRecord extends Omit<
  Selectable<Tables['tracking_pool']>,
  'status' | 'mode' | 'settings'
> {
  status: PoolStatus;
  mode: PoolMode;
  settings: PoolSettings;
}

/** Settings that were stored before one was added have its default. */
const readRow = (row: PoolRecord): PoolRecord => ({
  ...row,
  settings: poolSettings.parse(row.settings),
});

/**
 * Pools that a person limited to these numbers sees: those with one of them. Null: all of the
 * company's.
 */
const visibleCondition = (only: readonly number[] | null) =>
  only === null
    ? sql`true`
    : sql`exists (select from tracking_pool_number n where n.company_id = p.company_id
        and n.pool_id = p.id and n.number_id = any (${[...only]}::bigint[]))`;

interface PoolFilter {
  search?: string | undefined;
  status?: PoolStatus | undefined;
}
const sorts = {
  name: sql`folded(p.name)`,
  createdAt: sql`p.created_at`,
  updatedAt: sql`p.updated_at`,
} as const;
type PoolSort = keyof typeof sorts;

/** One page of pools that aren't deleted, and how many there are. */
export async function poolPage(
  tx: Tx,
  companyId: number,
  filter: PoolFilter,
  visibleNumbers: readonly number[] | null,
  page: { sort: PoolSort; dir: 'asc' | 'desc'; page: number; perPage: number },
): Promise<{ rows: PoolRecord[]; total: number }> {
  const where = sql`p.company_id = ${companyId} and p.deleted_at is null
    and ${visibleCondition(visibleNumbers)}
    ${filter.status ? sql`and p.status = ${filter.status}` : sql``}
    ${filter.search ? sql`and ${hasFolded(sql`p.name`, filter.search)}` : sql``}`;
  const direction = page.dir === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<PoolRecord>`select p.* from tracking_pool p where ${where}
    order by ${sorts[page.sort]} ${direction}, p.id ${direction}
    limit ${page.perPage} offset ${(page.page - 1) * page.perPage}`.execute(tx);
  const { n } = await oneRow(
    tx,
    sql<{ n: number }>`select count(*)::int n from tracking_pool p where ${where}`,
  );
  return { rows: rows.map(readRow), total: n };
}

/** All pools that aren't deleted, the oldest first. */
export const allPools = async (tx: Tx, companyId: number): Promise<PoolRecord[]> =>
  (
    await sql<PoolRecord>`select p.* from tracking_pool p
      where p.company_id = ${companyId} and p.deleted_at is null order by p.id`.execute(tx)
  ).rows.map(readRow);

/** A pool that isn't deleted; undefined: none, or none of this person's numbers is in it. */
export async function readPool(
  tx: Tx,
  companyId: number,
  id: number,
  visibleNumbers: readonly number[] | null,
  { lock = false } = {},
): Promise<PoolRecord | undefined> {
  const { rows } = await sql<PoolRecord>`select p.* from tracking_pool p
    where p.company_id = ${companyId} and p.id = ${id} and p.deleted_at is null
      and ${visibleCondition(visibleNumbers)} ${lock ? sql`for update` : sql``}`.execute(tx);
  return rows[0] && readRow(rows[0]);
}

/** Names of the pools that a source is chosen for. */
export const poolsOfSource = async (
  tx: Tx,
  companyId: number,
  sourceId: number,
): Promise<string[]> =>
  (
    await sql<{ name: string }>`select name from tracking_pool
      where company_id = ${companyId} and deleted_at is null
        and ${sourceId}::bigint = any (source_ids) order by folded(name)`.execute(tx)
  ).rows.map(({ name }) => name);

/** True when another pool that isn't deleted has this name. */
export const isPoolNameTaken = async (
  tx: Tx,
  companyId: number,
  name: string,
  except: number | null,
): Promise<boolean> =>
  (
    await sql`select from tracking_pool where company_id = ${companyId} and deleted_at is null
      and lower(name) = lower(${name}) and id is distinct from ${except}::bigint`.execute(tx)
  ).rows.length > 0;

/** Lets one change of a company's pools after the other. */
export const lockPools = (tx: Tx, companyId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`tracking_pools:${companyId}`}, 0))`.execute(
    tx,
  );

/** Columns to write; the settings are given as an object. */
export type PoolColumns = Partial<Omit<PoolRecord, 'company_id' | 'id' | 'created_at'>>;

const asStored = ({ settings, ...columns }: PoolColumns) => ({
  ...columns,
  ...(settings && { settings: JSON.stringify(settings) }),
});

/** Stores a new pool and returns its ID. */
export async function insertPool(
  tx: Tx,
  companyId: number,
  row: PoolColumns & Pick<PoolRecord, 'name' | 'mode' | 'settings' | 'created_by'>,
  now: Date,
): Promise<number> {
  return (
    await tx
      .insertInto('tracking_pool')
      .values({
        ...asStored(row),
        company_id: companyId,
        name: row.name,
        settings: JSON.stringify(row.settings),
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
}

/** Changes columns of a pool. */
export const updatePoolRow = (tx: Tx, companyId: number, id: number, set: PoolColumns) =>
  tx
    .updateTable('tracking_pool')
    .set(asStored(set))
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
