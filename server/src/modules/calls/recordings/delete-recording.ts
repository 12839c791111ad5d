import { calls as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { eraseRecording } from './recording-retention.ts';
import { visibleCall } from '../records/store.ts';
import { recordingsOf } from './store.ts';

/** Delete everything recorded of a call, for good. */
export async function deleteRecording(ctx: TxCtx, id: number): Promise<void> {
  const row = (await visibleCall(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  const ready = (await recordingsOf(ctx.tx, ctx.companyId, id)).filter(
    (r) => r.state !== 'deleted',
  );
  for (const recording of ready) await eraseRecording(ctx, recording.id, 'Deleted by hand.');
  if (ready.length)
    await ctx.publish(
      contract.callUpdated,
      { callId: id, numberId: row.number_id, changed: ['recording'] },
      { numberId: row.number_id },
    );
}
