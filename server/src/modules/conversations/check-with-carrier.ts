import type { Ctx, TxCtx } from '../../platform/context.ts';
import { checkUnknown, maxStatusChecks, type UncertainTexts } from '../messaging/index.ts';
import { waitSeconds } from './rules.ts';
import { idempotencyKeyOf, updateDeliveryStatus } from './update-delivery-status.ts';
import { conversationById, type ItemRow } from './store.ts';
import { updateItem, itemById } from './store-items.ts';
import { pollStatusJob } from './job-kinds.ts';

/** The name of the carrier that a text goes, or went, through. */
export const carrierOfItem = ({ gateways }: Pick<Ctx, 'gateways'>, item: ItemRow): string =>
  item.carrier ?? gateways.messaging.name;

/** Looks a text up at its carrier later; `times`: how many lookups there were, with this one. */
const enqueueCarrierCheck = (t: TxCtx, itemId: number, times: number) =>
  t.enqueue(
    pollStatusJob,
    { itemId, times },
    {
      key: `ask:${t.companyId}:${itemId}`,
      runAt: new Date(t.now.getTime() + waitSeconds(times + 1) * 1000),
    },
  );

/** Marks a text as unknown and looks it up in a few seconds. `reason` is for engineers. */
export async function markItemUnknown(t: TxCtx, item: ItemRow, reason: string): Promise<void> {
  await updateDeliveryStatus(t, item, { state: 'unknown', code: 'unknown', reason });
  await enqueueCarrierCheck(t, item.id, 1);
}

/** Texts of conversations whose result is uncertain. `times`: how often they were looked up. */
export const uncertainItems = (ctx: Ctx, times = 0): UncertainTexts<ItemRow> => ({
  submittedAs: (item) => ({ carrier: carrierOfItem(ctx, item), key: idempotencyKeyOf(item) }),
  found: (t, item, { state, providerId }) =>
    updateDeliveryStatus(t, item, { state, code: null, reason: null, providerId }),
  requeue: async (t, item) => {
    await conversationById(t.tx, t.companyId, item.conversation_id, null, true);
    const row = await itemById(t.tx, t.companyId, item.id, true);
    if (row?.delivery_state === 'sending')
      await updateItem(t.tx, t.companyId, item.id, { delivery_state: 'queued' });
  },
  markUnknown: (t, item) => markItemUnknown(t, item, 'The worker stopped while sending.'),
  countCheck: async (t, item) => {
    if (times < maxStatusChecks) await enqueueCarrierCheck(t, item.id, times + 1);
  },
});

/** Looks up a text whose response was lost. It is only asked about, never sent again. */
export async function checkWithCarrier(
  ctx: Ctx,
  job: { itemId: number; times: number },
): Promise<void> {
  const item = await ctx.transaction((t) => itemById(t.tx, t.companyId, job.itemId));
  if (item?.delivery_state === 'unknown')
    await checkUnknown(ctx, uncertainItems(ctx, job.times), item);
}
