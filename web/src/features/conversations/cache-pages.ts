import type { EventData } from '#contract/kit';
import { conversations } from '#contract';

export type { Conversation, Item, ItemOf } from '#ui/messaging/types.ts';
export type ConversationUpdate = EventData<typeof conversations.conversationUpdated>;

export interface Positioned {
  id: number;
  at: string;
}
/** Newest first; at the same instant the higher id first, because ids ascend in write order. */
const isBefore = (a: Positioned, b: Positioned): boolean =>
  a.at > b.at || (a.at === b.at && a.id > b.id);
/** Whether the server has pages after this one. */
export const hasMore = (response: { meta: object }): boolean =>
  Boolean((response.meta as { next_cursor?: unknown }).next_cursor);

/**
 * The index at which a row belongs in a page; `above` or `below` when it belongs to another page.
 */
export function insertPosition(
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
export const withRows = <
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
