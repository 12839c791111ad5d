import type { Query } from '#contract';
import type { Conversation } from '#contract/conversations/schemas';
import type { listConversations as said } from '#contract/conversations/endpoints';
import type { PageAnswer } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { presentConversations } from './present.ts';
import { readCursor, parseSearch, writeCursor } from './rules.ts';
import { conversationPage, unreadByNumber, type ConversationFilter } from './store-lists.ts';

/** Searching inside items covers two years by default (A §9). */
const defaultSearchWindowMs = 2 * 365 * 86_400_000;
/**
 * The time a search covers: the default window before now, unless the search or the query says
 * otherwise.
 */
export const searchWindow = (
  search: ReturnType<typeof parseSearch> | null,
  query: { updatedAfter?: string | undefined; allTime?: boolean | undefined },
  now: Date,
) => ({
  since:
    search?.after ??
    (query.updatedAfter
      ? new Date(query.updatedAfter)
      : query.allTime
        ? new Date(0)
        : new Date(now.getTime() - defaultSearchWindowMs)),
  until: search?.before ?? new Date('9999-01-01T00:00:00Z'),
});

type ListQuery = Partial<
  Pick<
    Query<typeof said>,
    | 'search'
    | 'updatedAfter'
    | 'allTime'
    | 'numbers'
    | 'sources'
    | 'types'
    | 'isUnread'
    | 'possibleOptOut'
    | 'isArchived'
    | 'isSnoozed'
    | 'assigned'
    | 'dir'
  >
>;
/** Whose conversations a request asks for: `me`, `none`, `my_teams`, `team:9`, or a user's ID. */
function assignedOf(
  asked: ListQuery['assigned'],
  me: number,
): Pick<ConversationFilter, 'assigned' | 'team'> {
  if (asked === undefined) return {};
  if (asked === 'my_teams') return { team: 'mine' };
  if (typeof asked === 'string' && asked.startsWith('team:'))
    return { team: Number(asked.slice(5)) };
  return { assigned: asked === 'none' ? null : asked === 'me' ? me : Number(asked) };
}
/** What the request's filters mean for the requester. */
export function conversationFilterOf(ctx: TxCtx, query: ListQuery): ConversationFilter {
  const search = query.search ? parseSearch(query.search) : null;
  const { since, until } = searchWindow(search, query, ctx.now);
  return {
    companyId: ctx.companyId,
    hidden: ctx.contactDetails.hiddenFrom(ctx),
    sight: ctx.numbers,
    numbers: query.numbers,
    sources: query.sources,
    kinds: query.types,
    unread: query.isUnread ?? false,
    possibleOptOut: query.possibleOptOut ?? false,
    search,
    me: ctx.actor.userId,
    snoozed: query.isSnoozed ?? false,
    oldestFirst: query.dir === 'asc',
    ...assignedOf(query.assigned, ctx.actor.userId),
    // The inbox shows what isn't archived; a search includes everything by default.
    archived: query.isArchived ?? (search || query.possibleOptOut ? null : false),
    activeSince: query.updatedAfter && !search ? since : null,
    itemsSince: since,
    until,
  };
}

/** A page of the inbox by filter. `next_cursor` is null on the last page. */
export async function listConversations(
  ctx: TxCtx,
  query: Query<typeof said>,
): Promise<PageAnswer<Conversation>> {
  const search = query.search && (await ctx.contactDetails.numberOf(ctx, query.search));
  const page = await conversationPage(ctx.tx, conversationFilterOf(ctx, { ...query, search }), {
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
    after: readCursor(query.cursor),
  });
  const last = page.rows.at(-1);
  return {
    rows: await presentConversations(ctx, page.rows),
    total: page.total,
    meta: {
      next_cursor:
        last && page.rows.length === query.perPage
          ? writeCursor(last.last_activity_at, last.id)
          : null,
      ...(page.capped ? { total_is_capped: true } : {}),
      ...(query.counts ? { counts: await unreadCounts(ctx) } : {}),
    },
  };
}

/** A10 "Notification counts". */
async function unreadCounts(ctx: TxCtx) {
  const rows = await unreadByNumber(ctx.tx, ctx.companyId, ctx.numbers);
  const sum = (key: 'messages' | 'calls' | 'voicemails' | 'faxes') =>
    rows.reduce((n, r) => n + r[key], 0);
  const unread = {
    messages: sum('messages'),
    calls: sum('calls'),
    voicemails: sum('voicemails'),
    faxes: sum('faxes'),
  };
  return {
    total: Object.values(unread).reduce((a, b) => a + b, 0),
    unread,
    byNumber: Object.fromEntries(rows.map(({ number_id, ...of }) => [number_id, of])),
  };
}
