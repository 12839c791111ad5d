import { systemCtx, type Ctx } from '../../platform/context.ts';
import { findText } from '../messaging/index.ts';
import { idempotencyKeyOf, updateDeliveryStatus } from './update-delivery-status.ts';
import { itemById, textsWithoutFinalState } from './store-items.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Hours after submission at which a text without a final receipt is looked up. */
const checkAfterHours = [1, 3, 8, 24, 48];

/**
 * Every hour: looks up texts that never became final at the carrier they went through. Sends
 * nothing.
 */
export async function reconcileTexts(ctx: Ctx): Promise<void> {
  const texts = await textsWithoutFinalState(ctx.db.unscoped, ctx.now, checkAfterHours);
  for (const { companyId, itemId } of texts) {
    const company = systemCtx(
      { ...ctx, now: () => ctx.now },
      companyId,
      { markDirty: () => {}, notify: () => {} },
      ctx.requestId,
    );
    const item = await company.transaction((t) => itemById(t.tx, companyId, itemId));
    if (!item?.carrier) continue;
    const found = await findText(ctx.gateways, {
      carrier: item.carrier,
      key: idempotencyKeyOf(item),
    });
    // Not found or unreachable: the next hour asks again.
    if (!found || found.state === item.delivery_state) continue;
    const { state, providerId } = found;
    await company.transaction((t) =>
      updateDeliveryStatus(t, item, { state, code: null, reason: null, providerId }),
    );
  }
}
