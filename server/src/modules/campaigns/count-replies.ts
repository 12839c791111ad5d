import type { EventData } from '#contract';
import type { contactOptedOut } from '#contract/compliance/events';
import type { conversationUpdated } from '#contract/conversations/events';
import type { TxCtx } from '../../platform/context.ts';
import { keywordOf } from '../compliance/index.ts';
import { latestRecipientOf, recordOptOut, recordReply } from './store-recipients.ts';

/**
 * Counts an inbound text as reply to the newest campaign from that number within 72 hours (A12.4).
 * STOP isn't a reply.
 */
export async function countReply(
  t: TxCtx,
  event: EventData<typeof conversationUpdated>,
): Promise<void> {
  const item = event.item;
  if (!item || item.kind !== 'message' || keywordOf(item.details.content) === 'stop') return;
  const at = new Date(item.createdAt);
  const recipient = await latestRecipientOf(
    t.tx,
    t.companyId,
    event.conversation.recipient,
    at,
    event.conversation.number.id,
  );
  if (!recipient) return;
  await recordReply(t.tx, t.companyId, recipient.id, item.details.content || '(picture)', at);
}

/** Counts an opt-out within 72 hours of a campaign as that campaign's. */
export async function countOptOut(
  t: TxCtx,
  event: EventData<typeof contactOptedOut>,
): Promise<void> {
  const at = new Date(event.at);
  const recipient = await latestRecipientOf(t.tx, t.companyId, event.number, at, null);
  if (!recipient) return;
  await recordOptOut(t.tx, t.companyId, recipient.id, at);
}
