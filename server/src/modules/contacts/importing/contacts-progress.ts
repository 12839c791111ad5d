import type { Answer, importing as contract } from '#contract';
import { presentBatch, readBatch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { exportedUrl } from '../../../platform/export-rows.ts';
import { missing } from '../../../platform/refuse.ts';
import { EXPORT_KIND } from './export-contacts.ts';
import { bulkKind } from '../bulk/do-to-many.ts';
import { presentImport } from './present.ts';
import { importOfBatch } from './store.ts';

/** How far a job on contacts is. An export is only of interest to whoever asked for it. */
export async function contactsProgress(
  t: TxCtx,
  batchId: string,
): Promise<Answer<typeof contract.contactsProgress>> {
  const row = await importOfBatch(t.tx, t.companyId, batchId);
  if (row) {
    const batch =
      (await readBatch(
        t.tx,
        t.companyId,
        batchId,
        row.undo_batch_id === batchId ? 'contact-import-undo' : 'contact-import',
      )) ?? missing();
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
  const batch = (await readBatch(t.tx, t.companyId, batchId, EXPORT_KIND)) ?? missing();
  if (batch.createdBy !== t.actor.userId && t.actor.kind !== 'system') missing();
  return { data: { ...presentBatch(batch), resultUrl: exportedUrl(t, batch.result)?.url ?? null } };
}
