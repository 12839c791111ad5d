import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationExample, itemExample } from '#contract/conversations/examples';
import type { Conversation, Item } from '#contract/conversations/schemas';
import {
  updateThreadItems,
  updateConversationList,
  updateConversation,
  type ConversationUpdate,
} from './cache-updates.ts';

/** A minimal server: stores conversations, returns lists and emits events. */
interface ServerState {
  conversations: Map<number, Conversation>;
  clock: number;
}
const instant = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
const begin = (n: number): ServerState => ({
  clock: n,
  conversations: new Map(
    Array.from({ length: n }, (_, i) => [
      i + 1,
      {
        ...conversationExample,
        id: i + 1,
        conversationId: i + 1,
        lastActivityAt: instant(i),
        isArchived: i % 5 === 0,
        numUnreadItems: i % 3,
        number: { ...conversationExample.number, id: 10 + (i % 2) },
      },
    ]),
  ),
});

type Query = {
  isArchived?: number;
  isUnread?: number;
  possibleOptOut?: number;
  isSnoozed?: number;
  assigned?: number | 'none';
  numbers?: number[];
};
type Page = Parameters<typeof updateConversationList>[0];
const pageMeta = (next: string | null) => ({
  current_page: 1,
  from: 1,
  last_page: 1,
  path: '',
  per_page: 4,
  to: 1,
  total: 0,
  next_cursor: next,
});
const links = { first: null, last: null, prev: null, next: null };

function read(state: ServerState, query: Query): Conversation[] {
  return [...state.conversations.values()]
    .filter(
      (c) =>
        (query.isSnoozed
          ? c.snoozedUntil !== null
          : query.isArchived === undefined ||
            (c.isArchived === Boolean(query.isArchived) &&
              !(query.isArchived && c.snoozedUntil))) &&
        (query.assigned === undefined || (c.assignee?.id ?? 'none') === query.assigned) &&
        (!query.possibleOptOut || c.possibleOptOut !== null) &&
        (!query.isUnread || c.numUnreadItems > 0) &&
        (!query.numbers || query.numbers.includes(c.number.id)),
    )
    .sort((a, b) =>
      a.lastActivityAt < b.lastActivityAt
        ? 1
        : a.lastActivityAt > b.lastActivityAt
          ? -1
          : b.id - a.id,
    );
}
/** The first `count` pages as the list on screen caches them. */
function readPages(state: ServerState, query: Query, perPage: number, count: number): Page[] {
  const all = read(state, query);
  return Array.from({ length: count }, (_, i): Page => ({
    data: all.slice(i * perPage, (i + 1) * perPage),
    links,
    meta: pageMeta(all.length > (i + 1) * perPage ? 'next' : null),
  })).filter((p, i) => i === 0 || p.data.length > 0);
}

const changes = fc.record({
  id: fc.integer({ min: 1, max: 24 }),
  what: fc.constantFrom<ConversationUpdate['reason']>(
    'new_item',
    'read',
    'unread',
    'archived',
    'restored',
    'blocked',
    'item_updated',
    'deleted',
    'assigned',
    'snoozed',
    'woken',
    'opt_out',
  ),
});
function applyChange(
  state: ServerState,
  { id, what }: { id: number; what: ConversationUpdate['reason'] },
): ConversationUpdate {
  const at = instant(++state.clock);
  const was = state.conversations.get(id) ?? {
    ...conversationExample,
    id,
    conversationId: id,
    lastActivityAt: at,
    number: { ...conversationExample.number, id: 10 + (id % 2) },
  };
  const item: Item = {
    ...itemExample,
    id: 90_000 + state.clock,
    conversationId: id,
    createdAt: at,
  };
  const now: Conversation = {
    new_item: {
      ...was,
      lastActivityAt: at,
      isArchived: false,
      snoozedUntil: null,
      numUnreadItems: was.numUnreadItems + 1,
    },
    read: { ...was, numUnreadItems: 0 },
    unread: { ...was, numUnreadItems: 1 },
    archived: { ...was, isArchived: true },
    restored: { ...was, isArchived: false, snoozedUntil: null },
    assigned: {
      ...was,
      assignee: was.assignee ? null : { id: 5 + (state.clock % 2), name: 'Una User' },
    },
    snoozed: { ...was, isArchived: true, snoozedUntil: instant(state.clock + 3600) },
    woken: { ...was, isArchived: false, snoozedUntil: null, lastActivityAt: at },
    blocked: { ...was, isBlocked: true },
    unblocked: was,
    item_updated: { ...was },
    opt_out: { ...was, possibleOptOut: was.possibleOptOut ? null : { at } },
    // The latest item was removed, so the conversation moves down.
    deleted: { ...was, lastActivityAt: instant(Math.max(0, state.clock - 17) % 7) },
  }[what];
  state.conversations.set(id, now);
  return {
    conversationId: id,
    reason: what,
    conversation: now,
    ...((what === 'new_item' || what === 'item_updated' || what === 'deleted') && { item }),
  };
}

describe('conversation list cache', () => {
  it('events applied to a cached list equal a new fetch', () => {
    const queries: Query[] = [
      { isArchived: 0 },
      { isArchived: 1 },
      { isArchived: 0, isUnread: 1 },
      { possibleOptOut: 1 },
      { isArchived: 0, numbers: [11] },
      { isArchived: 0, assigned: 5 },
      { isArchived: 0, assigned: 'none' },
      { isSnoozed: 1 },
      {},
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...queries),
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 1, max: 4 }),
        fc.array(changes, { maxLength: 40 }),
        fc.boolean(),
        (query, perPage, count, list, twice) => {
          const state = begin(18);
          let pages = readPages(state, query, perPage, count);
          for (const act of list) {
            const update = applyChange(state, act);
            for (let times = 0; times < (twice ? 2 : 1); times++) {
              const next = pages.map((page, i) =>
                updateConversationList(page, update, { query }, i),
              );
              pages = next.includes(undefined)
                ? readPages(state, query, perPage, count)
                : (next as Page[]);
            }
            const shown = pages.flatMap((p) => p.data);
            const fresh = read(state, query);
            expect(shown).toEqual(fresh.slice(0, shown.length));
            // The list is complete, so nothing can be missing.
            if (!(pages.at(-1)!.meta as { next_cursor?: string | null }).next_cursor)
              expect(shown).toHaveLength(fresh.length);
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('refetches what only the server can compute: searches, counts, deleted conversations', () => {
    const [page] = readPages(begin(6), { isArchived: 0 }, 10, 1);
    const update = applyChange(begin(6), { id: 2, what: 'new_item' });
    expect(
      updateConversationList(page!, update, { query: { isArchived: 0, search: 'noon' } }),
    ).toBeUndefined();
    expect(
      updateConversationList(page!, update, { query: { isArchived: 0, counts: 1 } }),
    ).toBeUndefined();
    expect(
      updateConversationList(
        page!,
        { ...update, reason: 'deleted', item: undefined },
        { query: { isArchived: 0 } },
      ),
    ).toBeUndefined();
  });

  it('ignores events older than its data', () => {
    const state = begin(6);
    const early = applyChange(state, { id: 3, what: 'new_item' });
    applyChange(state, { id: 3, what: 'new_item' });
    const [page] = readPages(state, { isArchived: 0 }, 10, 1);
    expect(updateConversationList(page!, early, { query: { isArchived: 0 } })).toBe(page);
  });
});

describe('thread cache', () => {
  const thread = (items: Item[], next: string | null = null) => ({
    data: items,
    links,
    meta: pageMeta(next),
  });
  const message = (
    n: number,
    over: Partial<Extract<Item, { kind: 'message' }>['details']> = {},
  ): Item =>
    ({
      ...itemExample,
      id: n,
      createdAt: instant(n),
      details: { ...itemExample.details, ...over },
    }) as Item;
  const input = { params: { id: 9001 }, query: {} };
  const update = (reason: ConversationUpdate['reason'], item?: Item): ConversationUpdate => ({
    conversationId: 9001,
    reason,
    conversation: conversationExample,
    ...(item && { item }),
  });

  it('inserts a new item once, newest first', () => {
    const once = updateThreadItems(
      thread([message(2), message(1)]),
      update('new_item', message(3)),
      input,
    )!;
    expect(once.data.map((i) => i.id)).toEqual([3, 2, 1]);
    expect(
      updateThreadItems(once, update('new_item', message(3)), input)!.data.map((i) => i.id),
    ).toEqual([3, 2, 1]);
  });
  it('ignores other threads', () => {
    const other = thread([message(1)]);
    expect(
      updateThreadItems(other, { ...update('new_item', message(2)), conversationId: 1 }, input),
    ).toBe(other);
  });
  it('a late receipt never reverts a delivery', () => {
    const delivered = thread([message(1, { deliveryState: 'delivered' })]);
    expect(
      updateThreadItems(
        delivered,
        update('item_updated', message(1, { deliveryState: 'sent' })),
        input,
      ),
    ).toBe(delivered);
  });
  it('skips an item older than those loaded, because its page contains it', () => {
    const some = thread([message(9), message(8)], 'next');
    expect(updateThreadItems(some, update('new_item', message(3)), input)).toBe(some);
  });
  it('marks all items read when the conversation is read', () => {
    expect(
      updateThreadItems(thread([message(2), message(1)]), update('read'), input)!.data.every(
        (i) => i.readAt !== null,
      ),
    ).toBe(true);
  });
  it('removes deleted items', () => {
    expect(
      updateThreadItems(
        thread([message(2), message(1)]),
        update('deleted', message(2)),
        input,
      )!.data.map((i) => i.id),
    ).toEqual([1]);
  });
});

it('a cached conversation is replaced by the one in the event', () => {
  const now = { ...conversationExample, isBlocked: true };
  const response = { data: conversationExample };
  expect(
    updateConversation(
      response,
      { conversationId: 9001, reason: 'blocked', conversation: now },
      {
        params: { id: 9001 },
      },
    ),
  ).toEqual({ data: now });
  expect(
    updateConversation(
      response,
      { conversationId: 9002, reason: 'blocked', conversation: now },
      {
        params: { id: 9001 },
      },
    ),
  ).toBe(response);
});
