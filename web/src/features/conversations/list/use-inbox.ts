import { useMemo } from 'react';
import { conversations } from '#contract';
import { useApiInfiniteQuery, useFilters, useUser } from '#ui';
import type { Conversation } from '../cache-updates.ts';

/**
 * What the list shows, kept in the address bar. `view`: open, unread, snoozed, archived, or messages (the items a search finds).
 * `assigned`: me, none, or a person's id. `dir` asc: who waits longest first. `all` 1: a search without its two years.
 */
export const inboxDefaults = {
  search: '',
  view: 'open',
  assigned: '',
  dir: 'desc',
  all: '',
  types: [] as string[],
  numbers: [] as string[],
};
export type InboxFilters = ReturnType<typeof useFilters<typeof inboxDefaults>>;

const perPage = 30;

/** The list of conversations as the address says. `open` stays in sight even when reading it took it out of "Unread". */
export function useInbox(open: Conversation | undefined) {
  const inbox = useFilters(inboxDefaults);
  const me = useUser()?.id;
  const { search, view, assigned, dir, all, types, numbers } = inbox.filters;
  const query = useMemo(
    () => ({
      perPage,
      // A search looks everywhere, put away or not, unless one looks among the archived.
      ...(view === 'snoozed'
        ? { isSnoozed: true }
        : view === 'archived'
          ? { isArchived: true }
          : search
            ? {}
            : { isArchived: false }),
      ...(view === 'unread' && { isUnread: true }),
      ...(search && { search, ...(all && { allTime: true }) }),
      // One's own number, so that what happens can be folded into the list without asking.
      ...(assigned && {
        assigned:
          assigned === 'me'
            ? (me ?? ('me' as const))
            : assigned === 'none'
              ? ('none' as const)
              : Number(assigned),
      }),
      ...(dir === 'asc' && { dir: 'asc' as const }),
      ...(types.length > 0 && { types: types as never }),
      ...(numbers.length > 0 && { numbers: numbers.map(Number) }),
    }),
    [search, view, assigned, dir, all, types, numbers, me],
  );
  const showsItemResults = view === 'messages' && search !== '';
  const list = useApiInfiniteQuery(
    conversations.listConversations,
    { query },
    { staleTime: 600_000, silent: true, enabled: !showsItemResults },
  );
  const rows = useMemo(
    () => (view === 'unread' && open ? keepOpenConversation(list.rows, open) : list.rows),
    [list.rows, view, open],
  );
  return { ...inbox, ...list, rows, inItems: showsItemResults };
}

/** The open conversation at its place by time, when it has left the list. */
export function keepOpenConversation(
  rows: readonly Conversation[],
  open: Conversation,
): Conversation[] {
  if (open.isArchived || rows.some((c) => c.id === open.id)) return [...rows];
  const at = rows.findIndex((c) => c.lastActivityAt < open.lastActivityAt);
  return at < 0 ? [...rows] : rows.toSpliced(at, 0, open);
}

/** Address of a conversation; the filters stay. */
export const conversationHref = (id: number): string =>
  `/inbox/${id}${typeof window === 'undefined' ? '' : window.location.search}`;
export const inboxHref = (): string =>
  `/inbox${typeof window === 'undefined' ? '' : window.location.search}`;
