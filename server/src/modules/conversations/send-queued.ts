import type { Ctx } from '../../platform/context.ts';
import type { SendResult } from '../../gateways/messaging.ts';
import { lockOptOut } from '../compliance/index.ts';
import {
  isRetryable,
  recordCarrierOptOuts,
  recoverOrphan,
  submitText,
} from '../messaging/index.ts';
import { failoverNumber } from '../numbers/index.ts';
import { claimNext, type SendClaim } from './claim-queued.ts';
import { carrierOfItem, markItemUnknown, uncertainItems } from './check-with-carrier.ts';
import { textBlockReasonFor } from './textable.ts';
import { enqueueSending } from './queue-text.ts';
import { updateDeliveryStatus } from './update-delivery-status.ts';
import { giveUpAfterMs, waitSeconds } from './rules.ts';
import { conversationById, type ItemRow } from './store.ts';
import { updateItem, itemById } from './store-items.ts';

/** After so many attempts at its own carrier a text may go through the failover number's. */
const triesBeforeFailover = 2;
/** A job sends at most so many texts before it makes room for others. */
const maxPerJob = 50;

/**
 * Submits a conversation's queued texts to the carrier, oldest first. Each is claimed in one
 * transaction and its result stored in another. If a worker dies in between, the row says `sending`,
 * and the carrier is asked by key before anything else. A text whose response was lost becomes
 * `unknown` and is never sent again automatically.
 */
export async function sendQueued(ctx: Ctx, job: { conversationId: number }): Promise<void> {
  for (let n = 0; n < maxPerJob; n++) {
    const step = await ctx.transaction((t) => claimNext(t, job.conversationId));
    if (step.do === 'end') return;
    if (step.do === 'pause') await new Promise((resolve) => setTimeout(resolve, step.ms));
    if (step.do === 'recover' && !(await recover(ctx, step.item))) return;
    if (step.do === 'send' && !(await submit(ctx, step))) return;
  }
  await ctx.transaction((t) => enqueueSending(t, job.conversationId));
}

/** False: the carrier can't be asked, so the conversation waits. */
async function recover(ctx: Ctx, item: ItemRow): Promise<boolean> {
  if (await recoverOrphan(ctx, uncertainItems(ctx), item)) return true;
  if (!isPastDeadline(ctx, item)) return retryLater(ctx, item, 'sending');
  await ctx.transaction((t) => markItemUnknown(t, item, 'The carrier couldn’t be asked.'));
  return true;
}

/** False: the carrier takes nothing now, so the conversation waits. */
async function submit(ctx: Ctx, { item, text }: SendClaim): Promise<boolean> {
  const result = await submitText(
    ctx.gateways,
    { carrier: carrierOfItem(ctx, item), text },
    (late) => {
      storeResult(ctx, { item, text }, late).catch((error: unknown) => {
        ctx.log.warn({ err: error, itemId: item.id }, 'a late acceptance could not be stored');
      });
    },
  );
  if (!isRetryable(result)) {
    await storeResult(ctx, { item, text }, result);
    return true;
  }
  const failover =
    result.code === 'carrier_away' && item.tries >= triesBeforeFailover
      ? await switchCarrier(ctx, { item, text })
      : null;
  if (failover) return submit(ctx, failover);
  if (!isPastDeadline(ctx, item)) return retryLater(ctx, item, 'queued');
  // A carrier that rejected our account did respond: its own reason is shown.
  const last = result.code === 'account' ? result : { ...result, code: 'carrier_away' };
  await storeResult(ctx, { item, text }, last);
  return true;
}

/**
 * The carrier certainly has nothing of this text, and a rule of the company names a failover number:
 * from now on it goes only through that number's carrier, so that it can't be sent twice.
 * Null: there is no such number, or it may not text this recipient.
 */
async function switchCarrier(ctx: Ctx, { item, text }: SendClaim): Promise<SendClaim | null> {
  return ctx.transaction(async (t) => {
    await lockOptOut(t.tx, t.companyId, text.to, 'to_send');
    const row = await itemById(t.tx, t.companyId, item.id, true);
    if (row?.delivery_state !== 'sending' || row.carrier !== item.carrier) return null;
    const failover = await failoverNumber(t, item.number_id);
    if (!failover || failover.carrier === item.carrier) return null;
    if (await textBlockReasonFor(t, failover.id, text.to)) return null;
    const switched = await updateItem(t.tx, t.companyId, item.id, {
      carrier: failover.carrier,
      details: JSON.stringify({ ...(row.details as object), sentFrom: failover.number }),
    });
    return { item: switched, text: { ...text, from: failover.number } };
  });
}

async function storeResult(ctx: Ctx, { item, text }: SendClaim, result: SendResult): Promise<void> {
  await ctx.transaction(async (t) => {
    if (result.state === 'unknown') return markItemUnknown(t, item, result.reason);
    if (result.state === 'accepted') {
      const { providerId } = result;
      await updateDeliveryStatus(t, item, { state: 'sent', code: null, reason: null, providerId });
      return;
    }
    const { code, reason } = result;
    if (code === 'opted_out')
      await recordCarrierOptOuts(t, [{ number: text.to, numberId: item.number_id, reason }]);
    await updateDeliveryStatus(t, item, { state: 'failed', code, reason });
  });
}

/** The carrier is unreachable or busy: this text and those behind it wait, in their order. */
async function retryLater(ctx: Ctx, item: ItemRow, state: 'queued' | 'sending'): Promise<false> {
  await ctx.transaction(async (t) => {
    await conversationById(t.tx, t.companyId, item.conversation_id, null, true);
    // A receipt may have come meanwhile; its state stays.
    const row = await itemById(t.tx, t.companyId, item.id, true);
    if (row?.delivery_state === 'sending')
      await updateItem(t.tx, t.companyId, item.id, { delivery_state: state, tries: item.tries });
    const retryAt = new Date(t.now.getTime() + waitSeconds(item.tries) * 1000);
    await enqueueSending(t, item.conversation_id, retryAt);
  });
  return false;
}

const isPastDeadline = (ctx: Ctx, item: ItemRow): boolean =>
  ctx.now.getTime() - (item.queued_at ?? item.created_at).getTime() > giveUpAfterMs;
