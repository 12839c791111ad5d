import { errorCodeOfReason } from '#contract/compliance/rules';
import { refusalText } from '#contract/errors';
import { formatPhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { CarrierNotConnectedError } from '../../gateways/carrier.ts';
import type { OutgoingText, SendResult } from '../../gateways/messaging.ts';
import { lockOptOut, acquireSendSlot } from '../compliance/index.ts';
import { failoverNumber } from '../numbers/index.ts';
import { textBlockReasonFor } from './textable.ts';
import { enqueueSending } from './queue-text.ts';
import { idempotencyKeyOf, updateDeliveryStatus } from './update-delivery-status.ts';
import { enqueueCarrierCheck } from './check-with-carrier.ts';
import { giveUpAfterMs, waitSeconds } from './rules.ts';
import { conversationById, numbersByIds, type ItemRow } from './store.ts';
import { updateItem, itemById, lockNextToSend } from './store-items.ts';
import type { StoredMedia } from './present.ts';

/** Its turn comes so soon that a job of its own would come too late. */
type ShortWait = { do: 'pause'; ms: number };
const maxInlineWaitMs = 150;
type SendClaim = { do: 'send' | 'ask'; item: ItemRow; text: OutgoingText };
/** Answers to STOP, START and HELP. */
const confirmations = new Set(['stop', 'start', 'help']);
/** Tries at a text's own carrier before a rule of the company sends it another way. */
const triesBeforeFailover = 2;
/** Pictures can be fetched by the carrier for a week. */
const mediaLinkSeconds = 7 * 86_400;

/**
 * Hand a conversation's waiting texts to the carrier, oldest first, each claimed in one transaction and its answer written
 * in another. A worker may die in between: the row then says `sending`, and the carrier is asked by key before anything
 * else. A text whose answer was lost becomes `unknown` and is never sent again by itself.
 */
export async function sendQueued(ctx: Ctx, job: { conversationId: number }): Promise<void> {
  for (let n = 0; n < 50; n++) {
    const claim = await ctx.transaction((t) => claimNext(t, job.conversationId));
    if (claim === 'nothing') return;
    if (claim === 'again') continue;
    if (claim.do === 'pause') {
      await new Promise((resolve) => setTimeout(resolve, claim.ms));
      continue;
    }
    const shouldContinue =
      claim.do === 'ask' ? await recoverClaim(ctx, claim) : await sendClaimed(ctx, claim);
    if (!shouldContinue) return;
  }
  await ctx.transaction((t) => enqueueSending(t, job.conversationId));
}

/** Claiming is the moment of sending: whoever opted out before it is not texted. */
async function claimNext(
  t: TxCtx,
  conversationId: number,
): Promise<SendClaim | ShortWait | 'nothing' | 'again'> {
  // The ledger's line before the conversation, as an incoming STOP takes them.
  const party = (await conversationById(t.tx, t.companyId, conversationId, null))?.party;
  if (party) await lockOptOut(t.tx, t.companyId, party, 'to_send');
  const conversation = await conversationById(t.tx, t.companyId, conversationId, null, true);
  const item = await lockNextToSend(t.tx, t.companyId, conversationId);
  if (!item) return 'nothing';
  const number = (await numbersByIds(t.tx, t.companyId, [item.number_id])).get(item.number_id);
  if (!conversation || !number) {
    await updateDeliveryStatus(t, item, { state: 'canceled', code: null, reason: null });
    return 'again';
  }
  const details = item.details as {
    content: string;
    media: StoredMedia[];
    automatic: string | null;
    segments?: number;
    sentFrom?: string;
  };
  const text: OutgoingText = {
    from: details.sentFrom ?? number.number,
    to: conversation.party,
    text: details.content,
    key: idempotencyKeyOf(item),
    media: details.media
      .filter((m) => m.fileId)
      .map((m) => ({
        url:
          t.settings.publicUrl + t.files.signUrl(t.companyId, m.fileId!, t.now, mediaLinkSeconds),
        contentType: m.type,
        bytes: m.bytes,
      })),
  };
  if (item.delivery_state === 'sending') return { do: 'ask', item, text };
  // The one confirmation of a STOP is the only text that may follow it.
  const reason =
    details.automatic && confirmations.has(details.automatic)
      ? null
      : await textBlockReasonFor(t, item.number_id, conversation.party);
  if (reason) {
    const refusal = errorCodeOfReason[reason];
    await updateDeliveryStatus(t, item, {
      state: 'failed',
      code: reason === 'contact_opted_out' ? 'opted_out' : reason,
      reason: refusalText(refusal, { number: formatPhone(conversation.party) }),
    });
    return 'again';
  }
  // Registered rates: a text waits for its turn, and those behind it in this conversation with it.
  const wait = number.registered
    ? await acquireSendSlot(t, {
        numberId: number.id,
        segments: details.segments || 1,
        slotAt: item.send_slot_at,
      })
    : null;
  if (wait) {
    await updateItem(t.tx, t.companyId, item.id, { send_slot_at: wait.at });
    if (wait.waitMs <= maxInlineWaitMs) return { do: 'pause', ms: wait.waitMs };
    await enqueueSending(t, conversationId, wait.at);
    return 'nothing';
  }
  return {
    do: 'send',
    item: await updateItem(t.tx, t.companyId, item.id, {
      delivery_state: 'sending',
      tries: item.tries + 1,
    }),
    text,
  };
}

async function recoverClaim(ctx: Ctx, { item, text }: SendClaim): Promise<boolean> {
  const query = async () => carrierOf(ctx, item).findByKey(text.key);
  const found = await query().catch(() => 'away' as const);
  if (found === 'away')
    return isPastDeadline(ctx, item)
      ? writeResult(ctx, item, { state: 'unknown', reason: 'The carrier couldn’t be asked.' })
      : retryLater(ctx, item, 'sending');
  if (found) return writeResult(ctx, item, { state: 'accepted', providerId: found.providerId });
  // Never heard of it. Where the carrier promises one text a key, the same key may be sent again; elsewhere it stays in doubt.
  return carrierOf(ctx, item).isIdempotent
    ? sendClaimed(ctx, { do: 'send', item, text })
    : writeResult(ctx, item, { state: 'unknown', reason: 'The worker stopped while sending.' });
}

async function sendClaimed(ctx: Ctx, { item, text }: SendClaim): Promise<boolean> {
  const result = await submitToCarrier(ctx, item, text);
  if (result.state !== 'refused' || result.permanent) return writeResult(ctx, item, result);
  const failover =
    result.code === 'carrier_away' && item.tries >= triesBeforeFailover
      ? await switchCarrier(ctx, item, text)
      : null;
  if (failover) return sendClaimed(ctx, failover);
  // A carrier that refused our account answered: that is said, and not that nobody did.
  const last = result.code === 'account' ? result : { ...result, code: 'carrier_away' };
  return isPastDeadline(ctx, item) ? writeResult(ctx, item, last) : retryLater(ctx, item, 'queued');
}

/**
 * The carrier certainly has nothing of this text, and a rule of the company names another number for such times: from now
 * on it goes that way, and only that way, so that it can never go twice.
 */
async function switchCarrier(
  ctx: Ctx,
  item: ItemRow,
  text: OutgoingText,
): Promise<SendClaim | null> {
  return ctx.transaction(async (t) => {
    await lockOptOut(t.tx, t.companyId, text.to, 'to_send');
    const row = await itemById(t.tx, t.companyId, item.id, true);
    const failover =
      row?.delivery_state === 'sending' && row.carrier === item.carrier
        ? await failoverNumber(t, item.number_id)
        : null;
    if (
      !row ||
      !failover ||
      failover.carrier === item.carrier ||
      (await textBlockReasonFor(t, failover.id, text.to))
    )
      return null;
    const changed = await updateItem(t.tx, t.companyId, item.id, {
      carrier: failover.carrier,
      details: JSON.stringify({ ...(row.details as object), sentFrom: failover.number }),
    });
    return { do: 'send', item: changed, text: { ...text, from: failover.number } };
  });
}

/** The carrier the text was queued for. */
const carrierOf = (ctx: Ctx, item: ItemRow) =>
  ctx.gateways.carriers.messaging(item.carrier ?? ctx.gateways.messaging.name);

async function submitToCarrier(ctx: Ctx, item: ItemRow, text: OutgoingText): Promise<SendResult> {
  try {
    return await carrierOf(ctx, item).send(text);
  } catch (error) {
    // A carrier that is not connected was never asked; any other trouble may have happened after it took the text.
    return error instanceof CarrierNotConnectedError
      ? { state: 'refused', code: 'carrier_away', reason: error.message, permanent: false }
      : { state: 'unknown', reason: String(error) };
  }
}

async function writeResult(ctx: Ctx, item: ItemRow, result: SendResult): Promise<boolean> {
  await ctx.transaction(async (t) => {
    if (result.state === 'accepted')
      return updateDeliveryStatus(t, item, {
        state: 'sent',
        code: null,
        reason: null,
        providerId: result.providerId,
      });
    if (result.state === 'refused')
      return updateDeliveryStatus(t, item, {
        state: 'failed',
        code: result.code,
        reason: result.reason,
        byCarrier: true,
      });
    await updateDeliveryStatus(t, item, {
      state: 'unknown',
      code: 'unknown',
      reason: result.reason,
    });
    await enqueueCarrierCheck(t, item.id, 1);
  });
  return true;
}

/** The carrier is away or busy: this text and those behind it wait, in their order. */
async function retryLater(ctx: Ctx, item: ItemRow, state: 'queued' | 'sending'): Promise<boolean> {
  await ctx.transaction(async (t) => {
    await conversationById(t.tx, t.companyId, item.conversation_id, null, true);
    // A receipt may have come meanwhile: what it says stands, and nothing of ours moves it back.
    const row = await itemById(t.tx, t.companyId, item.id, true);
    if (row?.delivery_state === 'sending')
      await updateItem(t.tx, t.companyId, item.id, { delivery_state: state, tries: item.tries });
    await enqueueSending(
      t,
      item.conversation_id,
      new Date(t.now.getTime() + waitSeconds(item.tries) * 1000),
    );
  });
  return false;
}
const isPastDeadline = (ctx: Ctx, item: ItemRow) =>
  ctx.now.getTime() - (item.queued_at ?? item.created_at).getTime() > giveUpAfterMs;
