import type { Answer, importing as contract } from '#contract';
import { presentBatch, readBatch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { exportUrl } from '../../../platform/export-rows.ts';
import { notFound } from '../../../platform/errors.ts';
import { EXPORT_KIND } from './export-contacts.ts';
import { bulkKind } from '../bulk/actions.ts';
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
      (await readBatch(
        t.tx,
        t.companyId,
        batchId,
        row.undo_batch_id === batchId ? 'contact-import-undo' : 'contact-import',
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
    (await readBatch(t.tx, t.companyId, batchId, bulkKind)) ??
    (await readBatch(t.tx, t.companyId, batchId, 'contacts.put'));
  if (bulk) return { data: presentBatch(bulk) };
  const batch = (await readBatch(t.tx, t.companyId, batchId, EXPORT_KIND)) ?? notFound();
  if (batch.createdBy !== t.actor.userId && t.actor.kind !== 'system') notFound();
  return {
    data: { ...presentBatch(batch), resultUrl: exportUrl(t, batch.result)?.url ?? null },
  };
}
