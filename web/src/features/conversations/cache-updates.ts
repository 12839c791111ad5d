import type { Answer, EventData } from '#contract/kit';
import { conversations } from '#contract';
import { registerCacheUpdater, type ApiInput } from '#ui';

/**
 * Applies live events to cached responses. Pure functions: applying events to a cached list gives
 * what a new fetch would return, or `undefined` when only the server can compute it and the query
 * must be refetched.
 */

export type Conversation = Answer<typeof conversations.getConversation>['data'];
export type Item = Answer<typeof conversations.getConversationItem>['data'];
export type ItemOf<K extends Item['kind']> = Extract<Item, { kind: K }>;
export type ConversationUpdate = EventData<typeof conversations.conversationUpdated>;

interface Positioned {
  id: number;
  at: string;
}
/** Newest first; at the same instant the higher id first, because ids ascend in write order. */
const isBefore = (a: Positioned, b: Positioned): boolean =>
  a.at > b.at || (a.at === b.at && a.id > b.id);
const hasMore = (response: { meta: object }): boolean =>
  Boolean((response.meta as { next_cursor?: unknown }).next_cursor);

/**
 * The index at which a row belongs in a page; `above` or `below` when it belongs to another page.
 */
function insertPosition(
  row: Positioned,
  rest: readonly Positioned[],
  page: number,
  more: boolean,
): number | 'above' | 'below' {
  const first = rest[0],
    last = rest.at(-1);
  if (page > 0 && (!first || isBefore(row, first))) return 'above';
  if (more && (!last || !isBefore(row, last))) return 'below';
  const at = rest.findIndex((each) => isBefore(row, each));
  return at < 0 ? rest.length : at;
}

/** The same page with these rows; `from`, `to` and `total` are adjusted to the new count. */
const withRows = <
  A extends {
    data: readonly unknown[];
    meta: { from: number | null; to: number | null; total: number };
  },
>(
  response: A,
  data: A['data'],
): A => {
  const more = data.length - response.data.length;
  if (more === 0) return { ...response, data };
  const from = data.length ? (response.meta.from ?? 1) : null;
  return {
    ...response,
    data,
    meta: {
      ...response.meta,
      from,
      to: from === null ? null : from + data.length - 1,
      total: Math.max(0, response.meta.total + more),
    },
  };
};

// ---- the list ------------------------------------------------------------------------------------------------------

interface ListFilter {
  isArchived: boolean | null;
  isUnread: boolean;
  isSnoozed: boolean;
  /** Undefined: any assignee; null: unassigned. */
  assigned: number | null | undefined;
  numbers: number[];
  isSearch: boolean;
  needsServer: boolean;
}
const isTrue = (v: unknown): boolean => v === true || v === 1 || v === '1' || v === 'true';
function toListFilter(input: ApiInput<typeof conversations.listConversations>): ListFilter {
  const q = (input.query ?? {}) as Record<string, unknown>;
  return {
    isArchived:
      q['isArchived'] === undefined || q['isArchived'] === null ? null : isTrue(q['isArchived']),
    isUnread: isTrue(q['isUnread']),
    isSnoozed: isTrue(q['isSnoozed']),
    assigned:
      q['assigned'] === undefined || q['assigned'] === null
        ? undefined
        : q['assigned'] === 'none'
          ? null
          : Number(q['assigned']),
    numbers: ((q['numbers'] as number[] | undefined) ?? []).map(Number),
    isSearch: Boolean(q['search']) || ((q['types'] as unknown[] | undefined)?.length ?? 0) > 0,
    needsServer:
      isTrue(q['counts']) ||
      Number(q['page'] ?? 1) > 1 ||
      Boolean(q['sort']) ||
      Boolean(q['dir']) ||
      // Only the server can resolve `me` and the search operators.
      q['assigned'] === 'me' ||
      /\b(is|assigned):/i.test(String(q['search'] ?? '')),
  };
}
const matchesFilter = (c: Conversation, v: ListFilter): boolean =>
  // Snoozed conversations are archived too, but listed under snoozed only.
  (v.isSnoozed
    ? c.snoozedUntil !== null
    : v.isArchived === null ||
      (c.isArchived === v.isArchived && (!v.isArchived || c.snoozedUntil === null))) &&
  (v.assigned === undefined || (c.assignee?.id ?? null) === v.assigned) &&
  (!v.isUnread || c.numUnreadItems > 0) &&
  (v.numbers.length === 0 || v.numbers.includes(c.number.id));

const positionOf = (c: Conversation): Positioned => ({ id: c.id, at: c.lastActivityAt });
/**
 * Reasons that can bring a conversation into the middle of a list, where its last activity puts it.
 */
const reasonsEnteringMidList = new Set<ConversationUpdate['reason']>([
  'archived',
  'restored',
  'unread',
  'deleted',
  'assigned',
  'snoozed',
  'woken',
]);
/** Reasons that change nothing a search matches on. */
const reasonsKeepingText = new Set<ConversationUpdate['reason']>([
  'read',
  'unread',
  'blocked',
  'unblocked',
  'item_updated',
]);

export function updateConversationList(
  response: Answer<typeof conversations.listConversations>,
  update: ConversationUpdate,
  input: ApiInput<typeof conversations.listConversations>,
  page = 0,
): typeof response | undefined {
  const view = toListFilter(input);
  const now = update.conversation;
  // A conversation or all its messages were deleted; the event doesn't name the items.
  if (view.needsServer || (update.reason === 'deleted' && !update.item)) return undefined;
  const at = response.data.findIndex((c) => c.id === now.id);
  const previous = response.data[at];
  if (previous && previous.lastActivityAt > now.lastActivityAt && update.reason !== 'deleted')
    return response; // older than the cached data
  const replaced = (): typeof response => ({
    ...response,
    data: response.data.map((c, i) => (i === at ? now : c)),
  });
  if (view.isSearch)
    return !reasonsKeepingText.has(update.reason)
      ? undefined
      : !previous
        ? response
        : matchesFilter(now, view)
          ? replaced()
          : withRows(
              response,
              response.data.filter((_, i) => i !== at),
            );

  const rest = previous ? response.data.filter((_, i) => i !== at) : response.data;
  if (!matchesFilter(now, view)) return previous ? withRows(response, rest) : response;
  if (previous && previous.lastActivityAt === now.lastActivityAt) return replaced();
  const position = insertPosition(positionOf(now), rest.map(positionOf), page, hasMore(response));
  if (typeof position === 'number') return withRows(response, rest.toSpliced(position, 0, now));
  if (
    position === 'below' &&
    (previous || (page === 0 && reasonsEnteringMidList.has(update.reason)))
  )
    return undefined;
  return previous ? withRows(response, rest) : response;
}

// ---- the thread ----------------------------------------------------------------------------------------------------

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

export function updateConversation(
  response: Answer<typeof conversations.getConversation>,
  update: ConversationUpdate,
  input: ApiInput<typeof conversations.getConversation>,
): typeof response | undefined {
  if (Number((input.params as { id?: unknown } | undefined)?.id) !== update.conversationId)
    return response;
  if (update.reason === 'deleted' && !update.item) return undefined;
  if (
    update.reason !== 'deleted' &&
    response.data.lastActivityAt > update.conversation.lastActivityAt
  )
    return response;
  return { ...response, data: update.conversation };
}

registerCacheUpdater(
  conversations.conversationUpdated,
  conversations.listConversations,
  updateConversationList,
);
registerCacheUpdater(
  conversations.conversationUpdated,
  conversations.listConversationItems,
  updateThreadItems,
);
registerCacheUpdater(
  conversations.conversationUpdated,
  conversations.getConversation,
  updateConversation,
);
