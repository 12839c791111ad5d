import type { Answer, EventData } from '#contract/kit';
import { conversations } from '#contract';
import { registerFold, type AskInput } from '#ui';

/**
 * What an event does to answers already on screen. Pure: folding events into an old list gives what a fresh read would
 * give, or `undefined`, which means "only the server knows: read again".
 */

export type Conversation = Answer<typeof conversations.getConversation>['data'];
export type Item = Answer<typeof conversations.getConversationItem>['data'];
export type ItemOf<K extends Item['kind']> = Extract<Item, { kind: K }>;
export type Updated = EventData<typeof conversations.conversationUpdated>;

interface Placed {
  id: number;
  at: string;
}
/** Latest first; of two at the same instant the one stored later (ids grow). */
const isBefore = (a: Placed, b: Placed): boolean => a.at > b.at || (a.at === b.at && a.id > b.id);
const hasMore = (answer: { meta: object }): boolean =>
  Boolean((answer.meta as { next_cursor?: unknown }).next_cursor);

/** The place for a row in a page; `above` or `below` when it belongs to another page. */
function placeFor(
  row: Placed,
  rest: readonly Placed[],
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

/** The same page with these rows; what it says of their number moves along. */
const withRows = <
  A extends {
    data: readonly unknown[];
    meta: { from: number | null; to: number | null; total: number };
  },
>(
  answer: A,
  data: A['data'],
): A => {
  const more = data.length - answer.data.length;
  if (more === 0) return { ...answer, data };
  const from = data.length ? (answer.meta.from ?? 1) : null;
  return {
    ...answer,
    data,
    meta: {
      ...answer.meta,
      from,
      to: from === null ? null : from + data.length - 1,
      total: Math.max(0, answer.meta.total + more),
    },
  };
};

// ---- the list ------------------------------------------------------------------------------------------------------

interface View {
  isArchived: boolean | null;
  isUnread: boolean;
  isSnoozed: boolean;
  /** Undefined: whose it is does not matter; null: nobody's. */ assigned:
    | number
    | null
    | undefined;
  numbers: number[];
  isFound: boolean;
  isOdd: boolean;
}
const truth = (v: unknown): boolean => v === true || v === 1 || v === '1' || v === 'true';
function viewOf(input: AskInput<typeof conversations.listConversations>): View {
  const q = (input.query ?? {}) as Record<string, unknown>;
  return {
    isArchived:
      q['isArchived'] === undefined || q['isArchived'] === null ? null : truth(q['isArchived']),
    isUnread: truth(q['isUnread']),
    isSnoozed: truth(q['isSnoozed']),
    assigned:
      q['assigned'] === undefined || q['assigned'] === null
        ? undefined
        : q['assigned'] === 'none'
          ? null
          : Number(q['assigned']),
    numbers: ((q['numbers'] as number[] | undefined) ?? []).map(Number),
    isFound: Boolean(q['search']) || ((q['types'] as unknown[] | undefined)?.length ?? 0) > 0,
    isOdd:
      truth(q['counts']) ||
      Number(q['page'] ?? 1) > 1 ||
      Boolean(q['sort']) ||
      Boolean(q['dir']) ||
      // Only the server knows who asks, and what such words find.
      q['assigned'] === 'me' ||
      /\b(is|assigned):/i.test(String(q['search'] ?? '')),
  };
}
const fits = (c: Conversation, v: View): boolean =>
  // What sleeps is put away, but stands among the sleeping and not among the archived.
  (v.isSnoozed
    ? c.snoozedUntil !== null
    : v.isArchived === null ||
      (c.isArchived === v.isArchived && (!v.isArchived || c.snoozedUntil === null))) &&
  (v.assigned === undefined || (c.assignee?.id ?? null) === v.assigned) &&
  (!v.isUnread || c.numUnreadItems > 0) &&
  (v.numbers.length === 0 || v.numbers.includes(c.number.id));

const placed = (c: Conversation): Placed => ({ id: c.id, at: c.lastActivityAt });
/** Reasons that bring a conversation into a list at its old place, in the middle of it. */
const entersAnywhere = new Set<Updated['reason']>([
  'archived',
  'restored',
  'unread',
  'deleted',
  'assigned',
  'snoozed',
  'woken',
]);
/** Reasons that leave untouched what a search looks at. */
const changesNoWords = new Set<Updated['reason']>([
  'read',
  'unread',
  'blocked',
  'unblocked',
  'item_updated',
]);

export function foldList(
  answer: Answer<typeof conversations.listConversations>,
  said: Updated,
  input: AskInput<typeof conversations.listConversations>,
  page = 0,
): typeof answer | undefined {
  const view = viewOf(input);
  const now = said.conversation;
  // A whole conversation, or all its messages, went: the event does not tell which.
  if (view.isOdd || (said.reason === 'deleted' && !said.item)) return undefined;
  const at = answer.data.findIndex((c) => c.id === now.id);
  const was = answer.data[at];
  if (was && was.lastActivityAt > now.lastActivityAt && said.reason !== 'deleted') return answer; // older news than what we have
  const replaced = (): typeof answer => ({
    ...answer,
    data: answer.data.map((c, i) => (i === at ? now : c)),
  });
  if (view.isFound)
    return !changesNoWords.has(said.reason)
      ? undefined
      : !was
        ? answer
        : fits(now, view)
          ? replaced()
          : withRows(
              answer,
              answer.data.filter((_, i) => i !== at),
            );

  const rest = was ? answer.data.filter((_, i) => i !== at) : answer.data;
  if (!fits(now, view)) return was ? withRows(answer, rest) : answer;
  if (was && was.lastActivityAt === now.lastActivityAt) return replaced();
  const place = placeFor(placed(now), rest.map(placed), page, hasMore(answer));
  if (typeof place === 'number') return withRows(answer, rest.toSpliced(place, 0, now));
  if (place === 'below' && (was || (page === 0 && entersAnywhere.has(said.reason))))
    return undefined;
  return was ? withRows(answer, rest) : answer;
}

// ---- the thread ----------------------------------------------------------------------------------------------------

const rank: Record<string, number> = {
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
/** Receipts may overtake one another: what is known never becomes less. */
const isOlderNews = (next: Item, was: Item): boolean =>
  next.kind === 'message' &&
  was.kind === 'message' &&
  (rank[next.details.deliveryState] ?? 0) < (rank[was.details.deliveryState] ?? 0);
const placedItem = (i: Item): Placed => ({ id: i.id, at: i.createdAt });

export function foldItems(
  answer: Answer<typeof conversations.listConversationItems>,
  said: Updated,
  input: AskInput<typeof conversations.listConversationItems>,
  page = 0,
): typeof answer | undefined {
  if (Number((input.params as { id?: unknown } | undefined)?.id) !== said.conversationId)
    return answer;
  const { item, reason } = said;
  const query = (input.query ?? {}) as { types?: string[] };
  if (!item) {
    // Something stands in the thread, or went from it, that the event does not carry.
    if (
      reason === 'deleted' ||
      reason === 'unread' ||
      reason === 'new_item' ||
      reason === 'blocked' ||
      reason === 'unblocked'
    )
      return undefined;
    if (reason !== 'read') return answer;
    return {
      ...answer,
      data: answer.data.map((i) =>
        i.isInbound && i.readAt === null
          ? { ...i, readAt: said.readAt ?? said.conversation.lastActivityAt }
          : i,
      ),
    };
  }
  if (query.types?.length && !query.types.includes(item.kind)) return answer;
  if (reason === 'deleted')
    return answer.data.some((i) => i.id === item.id)
      ? withRows(
          answer,
          answer.data.filter((i) => i.id !== item.id),
        )
      : answer;
  return placeItem(answer, item, page);
}

/** An item as it is now, put where it belongs. Also what a sender does with the answer to what was sent. */
export function placeItem(
  answer: Answer<typeof conversations.listConversationItems>,
  item: Item,
  page = 0,
): typeof answer {
  const at = answer.data.findIndex((i) => i.id === item.id);
  const was = answer.data[at];
  if (was)
    return isOlderNews(item, was)
      ? answer
      : { ...answer, data: answer.data.map((i, n) => (n === at ? item : i)) };
  const place = placeFor(placedItem(item), answer.data.map(placedItem), page, hasMore(answer));
  return typeof place === 'number'
    ? withRows(answer, answer.data.toSpliced(place, 0, item))
    : answer;
}

export function foldOne(
  answer: Answer<typeof conversations.getConversation>,
  said: Updated,
  input: AskInput<typeof conversations.getConversation>,
): typeof answer | undefined {
  if (Number((input.params as { id?: unknown } | undefined)?.id) !== said.conversationId)
    return answer;
  if (said.reason === 'deleted' && !said.item) return undefined;
  if (said.reason !== 'deleted' && answer.data.lastActivityAt > said.conversation.lastActivityAt)
    return answer;
  return { ...answer, data: said.conversation };
}

registerFold(conversations.conversationUpdated, conversations.listConversations, foldList);
registerFold(conversations.conversationUpdated, conversations.listConversationItems, foldItems);
registerFold(conversations.conversationUpdated, conversations.getConversation, foldOne);
