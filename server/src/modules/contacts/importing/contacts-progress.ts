import type { Answer, importing as contract } from '#contract';
import { presentBatch, readProgress } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { exportUrl } from '../../../platform/export-rows.ts';
import { notFound } from '../../../platform/errors.ts';
import { EXPORT_KIND } from './export-contacts.ts';
import { bulkKind, putKind } from '../bulk/actions.ts';
import { importKind, undoKind } from './batch-kinds.ts';
import { presentImport } from './present.ts';
import { importByBatch } from './store.ts';

/**
 * Progress of an import, undo, bulk action or export. Exports are visible only to the user who
 * started them. All others get `not_found`.
 */
export async function contactsProgress(
  t: TxCtx,
  batchId: string,
): Promise<Answer<typeof contract.contactsProgress>> {
  const row = await importByBatch(t.tx, t.companyId, batchId);
  if (row) {
    const batch =
      (await readProgress(
        t.tx,
        t.companyId,
        batchId,
        row.undo_batch_id === batchId ? undoKind.name : importKind.name,
      )) ?? notFound();
    const shown = presentBatch(batch);
    return {
      data: {
        ...shown,
        progress: batch.finishedAt ? 100 : Math.min(99, shown.progress),
        resultUrl: row.batch_id === batchId ? presentImport(t, row).resultUrl : null,
      },
    };
  }
  const bulk =
    (await readProgress(t.tx, t.companyId, batchId, bulkKind.name)) ??
    (await readProgress(t.tx, t.companyId, batchId, putKind.name));
  if (bulk) return { data: presentBatch(bulk) };
  const batch = (await readProgress(t.tx, t.companyId, batchId, EXPORT_KIND.name)) ?? notFound();
  if (batch.createdBy !== t.actor.userId && t.actor.kind !== 'system') notFound();
  return {
    data: { ...presentBatch(batch), resultUrl: exportUrl(t, batch.result)?.url ?? null },
  };
}
