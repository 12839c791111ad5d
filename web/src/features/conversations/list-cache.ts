import type { Answer } from '#contract/kit';
import { conversations } from '#contract';
import type { ApiInput } from '#ui';
import {
  hasMore,
  insertPosition,
  withRows,
  type Conversation,
  type ConversationUpdate,
  type Positioned,
} from './cache-pages.ts';

interface ListFilter {
  isArchived: boolean | null;
  isUnread: boolean;
  isSnoozed: boolean;
  possibleOptOut: boolean;
  /** Undefined: any assignee; null: unassigned. */
  assigned: number | null | undefined;
  /** Undefined: any team. */
  team: number | undefined;
  numbers: number[];
  isSearch: boolean;
  needsServer: boolean;
}
/** The team of `team:9`. Undefined: another assignee. */
const teamOf = (assigned: unknown): number | undefined =>
  String(assigned).startsWith('team:') ? Number(String(assigned).slice(5)) : undefined;
const isTrue = (v: unknown): boolean => v === true || v === 1 || v === '1' || v === 'true';
function toListFilter(input: ApiInput<typeof conversations.listConversations>): ListFilter {
  const q = (input.query ?? {}) as Record<string, unknown>;
  return {
    isArchived:
      q['isArchived'] === undefined || q['isArchived'] === null ? null : isTrue(q['isArchived']),
    isUnread: isTrue(q['isUnread']),
    isSnoozed: isTrue(q['isSnoozed']),
    possibleOptOut: isTrue(q['possibleOptOut']),
    assigned:
      q['assigned'] === undefined || q['assigned'] === null || teamOf(q['assigned']) !== undefined
        ? undefined
        : q['assigned'] === 'none'
          ? null
          : Number(q['assigned']),
    team: teamOf(q['assigned']),
    numbers: ((q['numbers'] as number[] | undefined) ?? []).map(Number),
    // A conversation doesn’t say of what kinds its items are, or where they came from.
    isSearch:
      Boolean(q['search']) || [q['types'], q['sources']].some((v) => [v ?? []].flat().length > 0),
    needsServer:
      isTrue(q['counts']) ||
      Number(q['page'] ?? 1) > 1 ||
      Boolean(q['sort']) ||
      Boolean(q['dir']) ||
      // Only the server can resolve `me`, their teams and the search operators.
      q['assigned'] === 'me' ||
      q['assigned'] === 'my_teams' ||
      /\b(is|assigned):/i.test(String(q['search'] ?? '')),
  };
}
const matchesFilter = (c: Conversation, v: ListFilter): boolean =>
  // Snoozed conversations are archived too, but listed under snoozed only.
  (v.isSnoozed
    ? c.snoozedUntil !== null
    : v.isArchived === null ||
      (c.isArchived === v.isArchived && (!v.isArchived || c.snoozedUntil === null))) &&
  (v.assigned === undefined ||
    ((c.assignee?.id ?? null) === v.assigned && (v.assigned !== null || c.team === null))) &&
  (v.team === undefined || c.team?.id === v.team) &&
  (!v.possibleOptOut || c.possibleOptOut !== null) &&
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
  'opt_out',
]);
/** Reasons that change nothing a search matches on. */
const reasonsKeepingText = new Set<ConversationUpdate['reason']>([
  'read',
  'unread',
  'blocked',
  'unblocked',
  'item_updated',
  'opt_out',
]);

/** Applies an event to a cached page of the conversation list; undefined: refetch. */
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
