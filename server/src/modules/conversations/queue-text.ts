import type { AutomaticKind } from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { appendItem } from './append-item.ts';
import type { StoredMedia } from './present.ts';
import { segmentsOf } from './rules.ts';
import { numbersByIds, type ConversationRow, type ItemRow } from './store.ts';

export interface OutboundText {
  numberId: number;
  party: string;
  content: string;
  media: readonly StoredMedia[];
  clientKey?: string | null;
  automatic?: AutomaticKind;
  source?: string;
}

/** Keep a text as `queued` and have a job hand it to the carrier: one job a conversation, so that texts leave in the order they were written. */
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

/** The carrier of the number it goes from; remembered with the text, so that its receipts find it. */
async function carrierOfNumber(ctx: TxCtx, numberId: number): Promise<string> {
  const { carriers } = ctx.gateways;
  if (carriers.all.length === 1) return ctx.gateways.messaging.name;
  const number = (await numbersByIds(ctx.tx, ctx.companyId, [numberId])).get(numberId);
  return (
    (number ? carriers.forNumber(number) : carriers.primary)?.messaging?.name ??
    ctx.gateways.messaging.name
  );
}

/** One waiting job a conversation. */
export const enqueueSending = (ctx: TxCtx, conversationId: number, runAt?: Date) =>
  ctx.enqueue(
    'conversations.submit',
    { conversationId },
    { key: `texts:${ctx.companyId}:${conversationId}`, ...(runAt ? { runAt } : {}) },
  );
