import { sql } from 'kysely';
import { oneRow, prepared, type Tx } from '../../../platform/db.ts';

/**
 * Names the state of a company's pools, sources, script and feature `dni`: another one after any change of them. A row
 * that is written has a new `xmin`, and whatever changes which numbers a pool has writes its row.
 */
export const setupMark = async (tx: Tx, companyId: number): Promise<string> =>
  (
    await oneRow(
      tx,
      sql<{ mark: string }>`${prepared}select coalesce(string_agg(kind || id || ':' || at, ' '
          order by kind, id), '') as mark
        from (select 'p' as kind, id, xmin::text as at from tracking_pool
            where company_id = ${companyId} and deleted_at is null
          union all select 's', id, xmin::text from tracking_source
            where company_id = ${companyId}
          union all select 'k', company_id, xmin::text from tracking_script
            where company_id = ${companyId}
          union all select 'f', id, coalesce(settings ->> 'feature.dni', '') from company
            where id = ${companyId}) rows`,
    )
  ).mark;
