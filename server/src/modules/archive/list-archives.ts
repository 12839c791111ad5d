import type { Answer, archive as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { exportUrl } from '../../platform/export-rows.ts';
import { fullName, personById } from '../identity/index.ts';
import { ARCHIVE_KIND } from './run-archive.ts';
import { batchesOfKind } from './store-batches.ts';

// The system role: an archive holds the people and the directory entries that the company’s rows
// name.

/** The company's archives. Only the person who requested one gets its link. */
export async function listArchives(ctx: TxCtx): Promise<Answer<typeof contract.listArchives>> {
  const rows = await batchesOfKind(ctx.tx, ctx.companyId, ARCHIVE_KIND.name);
  const names = new Map<number, string>();
  for (const id of new Set(rows.flatMap((row) => row.created_by ?? []))) {
    const person = await personById(ctx.db.unscoped, id);
    if (person) names.set(id, fullName(person));
  }
  return {
    data: rows.map((row) => {
      const exported = isDeleted(row.result) ? null : exportUrl(ctx, row.result as unknown[]);
      const isOwn = row.created_by === ctx.actor.userId;
      return {
        id: row.id,
        state: isDeleted(row.result)
          ? ('deleted' as const)
          : stateOf(row.finished_at !== null, row.failed > 0, exported !== null),
        progress: row.finished_at
          ? 100
          : Math.floor((row.processed / Math.max(1, row.total)) * 100),
        requested_by: names.get(row.created_by ?? 0) ?? 'System',
        requested_at: new Date(row.created_at).toISOString(),
        finished_at: row.finished_at ? new Date(row.finished_at).toISOString() : null,
        file: exported
          ? {
              name: exported.file.name,
              bytes: exported.file.bytes,
              rows: exported.file.rows,
              until: exported.file.until,
            }
          : null,
        url: exported && isOwn ? exported.url : null,
      };
    }),
  };
}

const isDeleted = (result: unknown): boolean =>
  Array.isArray(result) && (result[0] as { deleted?: boolean } | undefined)?.deleted === true;

function stateOf(finished: boolean, failed: boolean, hasFile: boolean) {
  if (!finished) return 'running' as const;
  if (failed) return 'failed' as const;
  return hasFile ? ('ready' as const) : ('expired' as const);
}
