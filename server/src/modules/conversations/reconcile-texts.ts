import { systemCtx, type Ctx } from '../../platform/context.ts';
import { keyOf, settleText } from './settle-text.ts';
import { itemById, textsWithoutEnd } from './store-items.ts';

/** Hours after a text was handed over at which its carrier is asked, when no receipt ever said the last word. */
const askedAfterHours = [1, 3, 8, 24, 48];

/** Every hour: texts that never became final are asked about at the carrier they went by. Only asks; nothing is sent. */
export async function reconcileTexts(ctx: Ctx): Promise<void> {
  for (const { companyId, itemId } of await textsWithoutEnd(
    ctx.db.directory,
    ctx.now,
    askedAfterHours,
  )) {
    const company = systemCtx(
      { ...ctx, now: () => ctx.now },
      companyId,
      { mark: () => {}, flush: () => {} },
      ctx.requestId,
    );
    const item = await company.transaction((t) => itemById(t.tx, companyId, itemId));
    if (!item?.carrier) continue;
    const ask = async () => ctx.ports.carriers.messaging(item.carrier!).askByKey(keyOf(item));
    const found = await ask().catch(() => null); // away or not connected: the next look asks again
    if (found && found.state !== item.delivery_state)
      await company.transaction((t) =>
        settleText(t, item, {
          state: found.state,
          code: null,
          reason: null,
          providerId: found.providerId,
          byCarrier: true,
        }),
      );
  }
}
