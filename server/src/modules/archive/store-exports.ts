import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { FileGuard } from '../../platform/file-guard.ts';

export interface ExportRow {
  id: number;
  name: string;
  bytes: number;
  guard: FileGuard;
  created_at: Date;
  delete_after: Date;
  /** Its name, else its address; null: the person is gone. */
  made_by: string | null;
}

/**
 * The exported files of a company that are still kept, newest first, at most 200; archives, which are
 * listed by themselves, only if asked. Needs the system role, since people belong to no company.
 */
export const exportRows = async (
  db: Tx,
  companyId: number,
  filter: { userId: number | null; fileId?: number; archives?: boolean; now: Date },
): Promise<ExportRow[]> =>
  (
    await sql<ExportRow>`select f.id, f.name, f.bytes, f.guard, f.created_at, f.delete_after,
        coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) made_by
      from file f left join person p on p.id = (f.guard ->> 'userId')::bigint
      where f.company_id = ${companyId} and f.guard is not null
        and (f.purpose = 'export' or (f.purpose = 'archive' and ${filter.archives ?? false}))
        and f.deleted_at is null and f.delete_after > ${filter.now}
        ${filter.userId === null ? sql`` : sql`and (f.guard ->> 'userId')::bigint = ${filter.userId}`}
        ${filter.fileId === undefined ? sql`` : sql`and f.id = ${filter.fileId}`}
      order by f.id desc limit 200`.execute(db)
  ).rows;

/** The result of a finished archive, locked. Undefined: none of this ID. */
export const lockArchive = (tx: Tx, companyId: number, id: string, kind: string) =>
  tx
    .selectFrom('batch')
    .select(['id', 'result', 'finished_at'])
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst();

/** Notes that an archive's file was deleted: it has none any more. */
export const setArchiveDeleted = (tx: Tx, companyId: number, id: string) =>
  sql`update batch set result = '[{"deleted": true}]'
    where company_id = ${companyId} and id = ${id}`.execute(tx);
