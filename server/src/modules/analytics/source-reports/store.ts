import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type SavedRow = Selectable<Tables['source_report']>;

export const insertReport = (
  tx: Tx,
  values: {
    company_id: number;
    name: string;
    params: string;
    as_of: Date;
    checksum: string;
    file_id: number;
    number_ids: number[] | null;
    company_ids: number[] | null;
    created_by: number | null;
    created_at: Date;
  },
): Promise<SavedRow> =>
  tx.insertInto('source_report').values(values).returningAll().executeTakeFirstOrThrow();

/** What a person sees, and so which runs. */
export interface RunSight {
  /** Numbers that they are limited to in the run's company; null: all. */
  numbers: readonly number[] | null;
  /** Companies all of whose figures they see. */
  companies: readonly number[];
}
/** Runs of the company made with no other numbers, and of an organization with no other companies. */
const isSeen = ({ numbers, companies }: RunSight) =>
  sql<boolean>`case when company_ids is not null
    then company_ids <@ ${[...companies]}::bigint[]
    else ${numbers === null ? sql`true` : sql`number_ids <@ ${[...numbers]}::bigint[]`} end`;

/** A saved run, locked. Undefined: none of this ID that holds only what the actor sees. */
export const lockReport = (
  tx: Tx,
  companyId: number,
  id: number,
  sight: RunSight,
): Promise<SavedRow | undefined> =>
  tx
    .selectFrom('source_report')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where(isSeen(sight))
    .forUpdate()
    .executeTakeFirst();

/** Deletes a saved run; its file is the caller's. */
export const removeReport = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('source_report').where('company_id', '=', companyId).where('id', '=', id).execute();

/** Saved runs that the person sees, the newest first. */
export async function reportPage(
  tx: Tx,
  companyId: number,
  sight: RunSight,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ rows: SavedRow[]; total: number }> {
  const seen = tx
    .selectFrom('source_report')
    .where('company_id', '=', companyId)
    .where(isSeen(sight));
  const { n } = await seen.select(sql<number>`count(*)::int`.as('n')).executeTakeFirstOrThrow();
  const rows = await seen
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  return { rows, total: n };
}
