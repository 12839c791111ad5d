import { useMemo } from 'react';
import { conversations, type Query } from '#contract';
import type { SortDirection } from '#contract/sort-direction';
import { useApiInfiniteQuery, useFilters, useUser } from '#ui';
import type { Conversation } from '../cache-updates.ts';

/**
 * The list's filters, kept in the URL. `view`: open, unread, snoozed, archived, opt_outs (a text may
 * be one), or messages (items a search finds). `assigned`: me, none, my_teams, team:9, or a user id. `dir` asc: longest wait first. `all` 1:
 * search beyond the last two years. `source`: the key of one.
 */
export const inboxDefaults = {
  search: '',
  view: 'open',
  assigned: '',
  dir: 'desc' as SortDirection,
  all: '',
  types: [] as string[],
  numbers: [] as string[],
  source: '',
};
export type InboxFilters = ReturnType<typeof useFilters<typeof inboxDefaults>>;

const perPage = 30;

/**
 * The conversations that match the URL. `open` stays in the list even when reading it removes it
 * from "Unread".
 */
export function useInbox(open: Conversation | undefined) {
  const inbox = useFilters(inboxDefaults);
  const me = useUser()?.id;
  const { search, view, assigned, dir, all, types, numbers, source } = inbox.filters;
  const query = useMemo(
    () => ({
      perPage,
      // A search includes archived and snoozed conversations.
      ...(view === 'opt_outs'
        ? { possibleOptOut: true }
        : view === 'snoozed'
          ? { isSnoozed: true }
          : view === 'archived'
            ? { isArchived: true }
            : search
              ? {}
              : { isArchived: false }),
      ...(view === 'unread' && { isUnread: true }),
      ...(search && { search, ...(all && { allTime: true }) }),
      // The user's id instead of `me`, so that live events can be applied to the cached list.
      ...(assigned && {
        assigned:
          assigned === 'me'
            ? (me ?? ('me' as const))
            : /^\d+$/.test(assigned)
              ? Number(assigned)
              : assigned,
      }),
      ...(dir === 'asc' && { dir }),
      ...(types.length > 0 && {
        types: types as Query<typeof conversations.listConversations>['types'],
      }),
      ...(numbers.length > 0 && { numbers: numbers.map(Number) }),
      ...(source && { sources: [source] }),
    }),
    [search, view, assigned, dir, all, types, numbers, source, me],
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

/** Inserts the open conversation by time when the list doesn't contain it. */
function keepOpenConversation(rows: readonly Conversation[], open: Conversation): Conversation[] {
  if (open.isArchived || rows.some((c) => c.id === open.id)) return [...rows];
  const at = rows.findIndex((c) => c.lastActivityAt < open.lastActivityAt);
  return at < 0 ? [...rows] : rows.toSpliced(at, 0, open);
}

/** URL of a conversation that keeps the list's filters. */
export const conversationHref = (id: number): string =>
  `/inbox/${id}${typeof window === 'undefined' ? '' : window.location.search}`;
/** URL of the list, with its current filters. */
export const inboxHref = (): string =>
  `/inbox${typeof window === 'undefined' ? '' : window.location.search}`;
