import type { AutomaticKind } from '#contract/conversations/rules';
import type { TxCtx } from '../../platform/context.ts';
import { carrierNameOf, segmentsOf } from '../messaging/index.ts';
import { appendItem } from './append-item.ts';
import type { StoredMedia } from './item-details.ts';
import { numbersByIds } from './store-numbers.ts';
import type { ConversationRow, ItemRow } from './store.ts';
import { submitJob } from './job-kinds.ts';

export interface OutboundText {
  numberId: number;
  party: string;
  content: string;
  media: readonly StoredMedia[];
  clientKey?: string | null;
  automatic?: AutomaticKind;
  source?: string;
}

/**
 * Stores a text as `queued`; a job submits it to the carrier, one job per conversation, so that texts
 * are sent in the order they were written. Null: it was queued before (the same `source`).
 */
export async function queueText(
  ctx: TxCtx,
  text: OutboundText,
): Promise<{ conversation: ConversationRow; item: ItemRow } | null> {
  const added = await appendItem(ctx, {
    numberId: text.numberId,
    party: text.party,
    kind: 'message',
    isInbound: false,
    at: ctx.now,
    text: text.content,
    deliveryState: 'queued',
    carrier: await carrierOfNumber(ctx, text.numberId),
    details: {
      content: text.content,
      media: text.media,
      ...segmentsOf(text.content),
      errorCode: null,
      errorText: null,
      clientKey: text.clientKey ?? null,
      automatic: text.automatic ?? null,
    },
    ...(text.source ? { source: text.source } : {}),
  });
  if (added) await enqueueSending(ctx, added.conversation.id);
  return added;
}

/** The carrier of the number it goes from, stored with the text so that its receipts find it. */
async function carrierOfNumber(ctx: TxCtx, numberId: number): Promise<string> {
  // With one carrier there is nothing to look up.
  const { gateways } = ctx;
  if (gateways.carriers.all.length === 1) return gateways.messaging.name;
  const numbers = await numbersByIds(ctx.tx, ctx.companyId, [numberId]);
  return carrierNameOf(gateways, numbers.get(numberId));
}

/** One waiting job a conversation. */
export const enqueueSending = (ctx: TxCtx, conversationId: number, runAt?: Date) =>
  ctx.enqueue(
    submitJob,
    { conversationId },
    { key: `texts:${ctx.companyId}:${conversationId}`, ...(runAt ? { runAt } : {}) },
  );
