import type { Answer, exporting as contract } from '#contract';
import { presentBatch, readOwnBatch } from '../../../platform/batches.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { exportUrl } from '../../../platform/export-rows.ts';
import { notFound } from '../../../platform/errors.ts';

/**
 * Any export of this person, whichever module makes it. `not_found` for another person's: its file
 * is theirs.
 */
export async function exportProgress(
  ctx: TxCtx,
  batchId: string,
): Promise<Answer<typeof contract.exportProgress>> {
  const batch =
    (await readOwnBatch(ctx.tx, ctx.companyId, batchId, 'export-%', ctx.actor.userId)) ??
    notFound();
  const exported = exportUrl(ctx, batch.result);
  return {
    data: {
      ...presentBatch(batch),
      resultUrl: exported?.url ?? null,
      file: exported?.file ?? null,
    },
  };
}
