import { calls as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import { eraseRecording } from './forget-old.ts';
import { callSeen } from './store.ts';
import { recordingsOf } from './store-audio.ts';

/** Delete everything recorded of a call, for good. */
export async function deleteRecording(ctx: TxCtx, id: number): Promise<void> {
  const row = (await callSeen(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? missing();
  const ready = (await recordingsOf(ctx.tx, ctx.companyId, id)).filter(
    (r) => r.state !== 'deleted',
  );
  for (const recording of ready) await eraseRecording(ctx, recording.id, 'Deleted by hand.');
  if (ready.length)
    await ctx.say(
      contract.callUpdated,
      { callId: id, numberId: row.number_id, changed: ['recording'] },
      { numberId: row.number_id },
    );
}
