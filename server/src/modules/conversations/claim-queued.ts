import { errorCodeOfReason } from '#contract/compliance/rules';
import { apiErrorText } from '#contract/errors';
import { formatPhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import type { OutgoingText } from '../../gateways/messaging.ts';
import { lockOptOut, undecidedNumbers } from '../compliance/index.ts';
import { acquireSendSlot, mediaLinks } from '../messaging/index.ts';
import { textBlockReasonFor } from './textable.ts';
import { enqueueSending } from './queue-text.ts';
import { idempotencyKeyOf, updateDeliveryStatus } from './update-delivery-status.ts';
import { conversationById, type ConversationRow, type ItemRow } from './store.ts';
import { numbersByIds, type NumberSummary } from './store-numbers.ts';
import { updateItem, lockNextToSend } from './store-items.ts';
import type { StoredMedia } from './item-details.ts';

/** A claimed text, as it is submitted. */
export interface SendClaim {
  item: ItemRow;
  text: OutgoingText;
}
/** The next step for a conversation's queued texts. */
type NextStep =
  | { do: 'end' }
  | { do: 'next' }
  | { do: 'pause'; ms: number }
  | { do: 'recover'; item: ItemRow }
  | ({ do: 'send' } & SendClaim);

/** Milliseconds: a slot this soon is waited for in this job, because another would start too late. */
const maxInlineWaitMs = 150;
/** Answers to STOP, START and HELP. */
const confirmations = new Set(['stop', 'start', 'help']);

interface TextDetails {
  content: string;
  media: StoredMedia[];
  automatic: string | null;
  segments?: number;
  /** The failover number it goes from instead of the conversation's. */
  sentFrom?: string;
}

/**
 * Claims a conversation's oldest queued text. Claiming counts as the moment of sending: a party
 * who opted out before it isn't texted. `recover`: a worker that died had claimed it.
 */
export async function claimNext(t: TxCtx, conversationId: number): Promise<NextStep> {
  // The opt-out row before the conversation, as an inbound STOP locks them.
  const party = (await conversationById(t.tx, t.companyId, conversationId, null))?.party;
  if (party) await lockOptOut(t.tx, t.companyId, party, 'to_send');
  const conversation = await conversationById(t.tx, t.companyId, conversationId, null, true);
  const item = await lockNextToSend(t.tx, t.companyId, conversationId);
  if (!item) return { do: 'end' };
  const number = (await numbersByIds(t.tx, t.companyId, [item.number_id])).get(item.number_id);
  if (!conversation || !number) {
    await updateDeliveryStatus(t, item, { state: 'canceled', code: null, reason: null });
    return { do: 'next' };
  }
  if (item.delivery_state === 'sending') return { do: 'recover', item };
  if (await failBlocked(t, item, conversation)) return { do: 'next' };
  return (await waitForSlot(t, item, number)) ?? submitNow(t, item, conversation, number);
}

/** Fails a text that may not be sent, with the reason. True: it failed. */
async function failBlocked(
  t: TxCtx,
  item: ItemRow,
  conversation: ConversationRow,
): Promise<boolean> {
  const { automatic } = item.details as TextDetails;
  // The one confirmation of a STOP is the only text that may follow it.
  if (automatic && confirmations.has(automatic)) return false;
  const reason = await textBlockReasonFor(t, item.number_id, conversation.party);
  if (!reason && automatic && (await isUndecided(t, conversation.party))) {
    await updateDeliveryStatus(t, item, {
      state: 'canceled',
      code: 'possible_opt_out',
      reason: 'This person may have opted out. Decide in the conversation.',
    });
    return true;
  }
  if (!reason) return false;
  await updateDeliveryStatus(t, item, {
    state: 'failed',
    code: reason === 'contact_opted_out' ? 'opted_out' : reason,
    reason: apiErrorText(errorCodeOfReason[reason], { number: formatPhone(conversation.party) }),
  });
  return true;
}

/** Whether someone has to decide if the party opted out. */
const isUndecided = async (t: TxCtx, party: string): Promise<boolean> =>
  (await undecidedNumbers(t.tx, t.companyId, [party])).has(party);

/**
 * A registered number's text waits for its slot, and those behind it in the conversation with it.
 */
async function waitForSlot(
  t: TxCtx,
  item: ItemRow,
  number: NumberSummary,
): Promise<NextStep | null> {
  if (!number.registered) return null;
  const { segments, automatic } = item.details as TextDetails;
  const wait = await acquireSendSlot(t, {
    numberId: number.id,
    segments: segments || 1,
    slotAt: item.send_slot_at,
    automatic: automatic !== null,
  });
  if (!wait) return null;
  await updateItem(t.tx, t.companyId, item.id, { send_slot_at: wait.at });
  if (wait.waitMs <= maxInlineWaitMs) return { do: 'pause', ms: wait.waitMs };
  await enqueueSending(t, item.conversation_id, wait.at);
  return { do: 'end' };
}

async function submitNow(
  t: TxCtx,
  item: ItemRow,
  conversation: ConversationRow,
  number: NumberSummary,
): Promise<NextStep> {
  const details = item.details as TextDetails;
  const claimed = await updateItem(t.tx, t.companyId, item.id, {
    delivery_state: 'sending',
    tries: item.tries + 1,
  });
  const text: OutgoingText = {
    from: details.sentFrom ?? number.number,
    to: conversation.party,
    text: details.content,
    key: idempotencyKeyOf(item),
    media: mediaLinks(t, details.media),
  };
  return { do: 'send', item: claimed, text };
}
