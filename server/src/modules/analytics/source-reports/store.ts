import { sql, type Selectable } from 'kysely';
import { oneRow, type Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type SavedRow = Selectable<Tables['source_report']>;

/** Days of a zone as moments: from the first's beginning to before the end of the last. */
export const spanOf = (
  tx: Tx,
  { startDate, endDate, tz }: { startDate: string; endDate: string; tz: string },
): Promise<{ from: Date; to: Date }> =>
  oneRow(
    tx,
    sql<{ from: Date; to: Date }>`select ${startDate}::timestamp at time zone ${tz} as from,
      (${endDate}::date + 1)::timestamp at time zone ${tz} as to`,
  );

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
    created_by: number | null;
    created_at: Date;
  },
): Promise<SavedRow> =>
  tx.insertInto('source_report').values(values).returningAll().executeTakeFirstOrThrow();

/** A saved run, locked. Undefined: none of this ID that holds only what the actor sees. */
export const lockReport = (
  tx: Tx,
  companyId: number,
  id: number,
  only: readonly number[] | null,
): Promise<SavedRow | undefined> =>
  tx
    .selectFrom('source_report')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .$if(only !== null, (q) => q.where(sql<boolean>`number_ids <@ ${[...(only ?? [])]}::bigint[]`))
    .forUpdate()
    .executeTakeFirst();

/** Deletes a saved run; its file is the caller's. */
export const removeReport = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('source_report').where('company_id', '=', companyId).where('id', '=', id).execute();

/** Saved runs, the newest first: of a limited person those made with no other numbers. */
export async function reportPage(
  tx: Tx,
  companyId: number,
  only: readonly number[] | null,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ rows: SavedRow[]; total: number }> {
  const seen = tx
    .selectFrom('source_report')
    .where('company_id', '=', companyId)
    .$if(only !== null, (q) => q.where(sql<boolean>`number_ids <@ ${[...(only ?? [])]}::bigint[]`));
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
