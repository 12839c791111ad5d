import { live as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { parkedOf, type CallState } from '../../routing/index.ts';
import { boardSignature, liveFacts } from './rules.ts';
import { freeSlot } from './store.ts';

/** After a step: frees a parking slot that is no longer used and publishes changes of the board. */
export async function publishLiveCall(
  ctx: TxCtx,
  row: { id: number; number_id: number },
  before: CallState | null,
  after: CallState,
): Promise<void> {
  const slot = parkedOf(after.phase)?.slot ?? null;
  if (before && parkedOf(before.phase) && slot === null)
    await freeSlot(ctx.tx, ctx.companyId, row.id);
  if (boardSignature(before) === boardSignature(after)) return;
  const over = after.outcome !== null;
  await ctx.publish(
    contract.liveCallChanged,
    {
      callId: row.id,
      numberId: row.number_id,
      state: over ? null : liveFacts(after, '').state,
      slot,
    },
    { numberId: row.number_id },
  );
}
