import { systemCtx, type Ctx } from '../../platform/context.ts';
import { idempotencyKeyOf, updateDeliveryStatus } from './update-delivery-status.ts';
import { itemById, textsWithoutFinalState } from './store-items.ts';

/** Hours after a text was handed over at which its carrier is asked, when no receipt ever said the last word. */
const checkAfterHours = [1, 3, 8, 24, 48];

/** Every hour: texts that never became final are asked about at the carrier they went by. Only asks; nothing is sent. */
export async function reconcileTexts(ctx: Ctx): Promise<void> {
  for (const { companyId, itemId } of await textsWithoutFinalState(
    ctx.db.unscoped,
    ctx.now,
    checkAfterHours,
  )) {
    const company = systemCtx(
      { ...ctx, now: () => ctx.now },
      companyId,
      { markDirty: () => {}, notify: () => {} },
      ctx.requestId,
    );
    const item = await company.transaction((t) => itemById(t.tx, companyId, itemId));
    if (!item?.carrier) continue;
    const query = async () =>
      ctx.gateways.carriers.messaging(item.carrier!).findByKey(idempotencyKeyOf(item));
    const found = await query().catch(() => null); // away or not connected: the next look asks again
    if (found && found.state !== item.delivery_state)
      await company.transaction((t) =>
        updateDeliveryStatus(t, item, {
          state: found.state,
          code: null,
          reason: null,
          providerId: found.providerId,
          byCarrier: true,
        }),
      );
  }
}
