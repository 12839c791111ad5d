import type { AutomaticKind } from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { addItem } from './add-item.ts';
import type { KeptMedia } from './present.ts';
import { segmentsOf } from './rules.ts';
import { numbersById, type ConversationRow, type ItemRow } from './store.ts';

export interface Text {
  numberId: number;
  party: string;
  content: string;
  media: readonly KeptMedia[];
  clientKey?: string | null;
  automatic?: AutomaticKind;
  source?: string;
}

/** Keep a text as `queued` and have a job hand it to the carrier: one job a conversation, so that texts leave in the order they were written. */
export async function queueText(
  ctx: TxCtx,
  t: Text,
): Promise<{ conversation: ConversationRow; item: ItemRow } | null> {
  const added = await addItem(ctx, {
    numberId: t.numberId,
    party: t.party,
    kind: 'message',
    isInbound: false,
    at: ctx.now,
    text: t.content,
    deliveryState: 'queued',
    carrier: await carrierOf(ctx, t.numberId),
    details: {
      content: t.content,
      media: t.media,
      ...segmentsOf(t.content),
      errorCode: null,
      errorText: null,
      clientKey: t.clientKey ?? null,
      automatic: t.automatic ?? null,
    },
    ...(t.source ? { source: t.source } : {}),
  });
  if (added) await enqueueHandOver(ctx, added.conversation.id);
  return added;
}

/** The carrier of the number it goes from; remembered with the text, so that its receipts find it. */
async function carrierOf(ctx: TxCtx, numberId: number): Promise<string> {
  const { carriers } = ctx.ports;
  if (carriers.all.length === 1) return ctx.ports.messaging.name;
  const number = (await numbersById(ctx.tx, ctx.companyId, [numberId])).get(numberId);
  return (
    (number ? carriers.ofNumber(number) : carriers.first)?.messaging?.name ??
    ctx.ports.messaging.name
  );
}

/** One waiting job a conversation; jobs of one conversation never run side by side. */
export const enqueueHandOver = (ctx: TxCtx, conversationId: number, runAt?: Date) => {
  const name = `texts:${ctx.companyId}:${conversationId}`;
  return ctx.enqueue(
    'conversations.handOver',
    { conversationId },
    { queue: name, key: name, ...(runAt ? { runAt } : {}) },
  );
};
