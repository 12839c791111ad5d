import type { Ctx, TxCtx } from '../../platform/context.ts';
import { waitSeconds } from './rules.ts';
import { idempotencyKeyOf, updateDeliveryStatus } from './update-delivery-status.ts';
import { itemById } from './store-items.ts';

/** After this many questions (about twenty minutes) a text stays `unknown` until the carrier reports by itself. */
const maxAttempts = 10;

export const enqueueCarrierCheck = (t: TxCtx, itemId: number, times: number) =>
  t.enqueue(
    'conversations.pollStatus',
    { itemId, times },
    {
      key: `ask:${t.companyId}:${itemId}`,
      runAt: new Date(t.now.getTime() + waitSeconds(times + 1) * 1000),
    },
  );

/** Ask what became of a text whose answer was lost. Only asks: it is never sent again by itself. */
export async function checkWithCarrier(
  ctx: Ctx,
  job: { itemId: number; times: number },
): Promise<void> {
  const item = await ctx.transaction((t) => itemById(t.tx, t.companyId, job.itemId));
  if (!item || item.delivery_state !== 'unknown') return;
  const query = async () =>
    ctx.gateways.carriers
      .messaging(item.carrier ?? ctx.gateways.messaging.name)
      .findByKey(idempotencyKeyOf(item));
  const found = await query().catch(() => null);
  await ctx.transaction(async (t) => {
    if (found)
      await updateDeliveryStatus(t, item, {
        state: found.state,
        code: null,
        reason: null,
        providerId: found.providerId,
        byCarrier: true,
      });
    else if (job.times < maxAttempts) await enqueueCarrierCheck(t, item.id, job.times + 1);
  });
}
