import type { Answer } from '#contract/kit';
import { conversations } from '#contract';
import type { ApiInput } from '#ui';
import {
  hasMore,
  insertPosition,
  withRows,
  type ConversationUpdate,
  type Item,
  type Positioned,
} from './cache-pages.ts';

const deliveryRank: Record<string, number> = {
  scheduled: 0,
  queued: 0,
  sending: 1,
  sent: 2,
  unknown: 3,
  delivered: 4,
  undelivered: 4,
  failed: 4,
  canceled: 4,
  received: 4,
};
/** Receipts may arrive out of order: a delivery state never goes back. */
const isStaleReceipt = (next: Item, previous: Item): boolean =>
  next.kind === 'message' &&
  previous.kind === 'message' &&
  (deliveryRank[next.details.deliveryState] ?? 0) <
    (deliveryRank[previous.details.deliveryState] ?? 0);
const itemPosition = (i: Item): Positioned => ({ id: i.id, at: i.createdAt });

/** Applies an event to a cached page of a thread; undefined: refetch. */
export function updateThreadItems(
  response: Answer<typeof conversations.listConversationItems>,
  update: ConversationUpdate,
  input: ApiInput<typeof conversations.listConversationItems>,
  page = 0,
): typeof response | undefined {
  if (Number((input.params as { id?: unknown } | undefined)?.id) !== update.conversationId)
    return response;
  const { item, reason } = update;
  const query = (input.query ?? {}) as { types?: string[] };
  if (!item) {
    // The event doesn't include what changed in the thread.
    if (
      reason === 'deleted' ||
      reason === 'unread' ||
      reason === 'new_item' ||
      reason === 'blocked' ||
      reason === 'unblocked'
    )
      return undefined;
    if (reason !== 'read') return response;
    return {
      ...response,
      data: response.data.map((i) =>
        i.isInbound && i.readAt === null
          ? { ...i, readAt: update.readAt ?? update.conversation.lastActivityAt }
          : i,
      ),
    };
  }
  if (query.types?.length && !query.types.includes(item.kind)) return response;
  if (reason === 'deleted')
    return response.data.some((i) => i.id === item.id)
      ? withRows(
          response,
          response.data.filter((i) => i.id !== item.id),
        )
      : response;
  return insertItem(response, item, page);
}

/**
 * Inserts an item, or replaces the cached one, at its position. Also used for the response to a
 * sent message.
 */
export function insertItem(
  response: Answer<typeof conversations.listConversationItems>,
  item: Item,
  page = 0,
): typeof response {
  const at = response.data.findIndex((i) => i.id === item.id);
  const previous = response.data[at];
  if (previous)
    return isStaleReceipt(item, previous)
      ? response
      : { ...response, data: response.data.map((i, n) => (n === at ? item : i)) };
  const position = insertPosition(
    itemPosition(item),
    response.data.map(itemPosition),
    page,
    hasMore(response),
  );
  return typeof position === 'number'
    ? withRows(response, response.data.toSpliced(position, 0, item))
    : response;
}
