import { calls as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { refuseIfHeld } from '../../../platform/legal-hold.ts';
import { eraseRecording } from './recording-retention.ts';
import { visibleCall } from '../records/store.ts';
import { recordingsOf } from './store.ts';

/**
 * Erases all recordings of a call for good. `not_found` when the user may not see the call;
 * `hold.keeps`.
 */
export async function deleteRecording(ctx: TxCtx, id: number): Promise<void> {
  const row = (await visibleCall(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  await refuseIfHeld(ctx, [row.party]);
  const recordings = (await recordingsOf(ctx.tx, ctx.companyId, id)).filter(
    (recording) => recording.state !== 'deleted',
  );
  for (const recording of recordings) await eraseRecording(ctx, recording.id, 'Deleted manually.');
  if (recordings.length)
    await ctx.publish(
      contract.callUpdated,
      { callId: id, numberId: row.number_id, changed: ['recording'] },
      { numberId: row.number_id },
    );
}
