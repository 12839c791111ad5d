import { sql, type RawBuilder } from 'kysely';
import type { Hidden } from '../../platform/masking/mask-text.ts';
import { prepared, type Tx } from '../../platform/db.ts';
import type { InboxSearch } from './rules.ts';
import { conversationColumns } from './store-inbound.ts';
import {
  and,
  conversationsOfSources,
  findConversations,
  ids,
  isMetSoon,
  kindCondition,
  type SearchCondition,
} from './store-search.ts';
import type { ConversationRow, VisibleNumbers } from './store.ts';

/** Above this a list says "1,000+": counting further would cost more than the page itself. */
const maxCounted = 1000;

/** Rows and their total, counted up to a limit. */
export interface Page<R> {
  rows: R[];
  total: number;
  capped: boolean;
}
export interface PageWindow {
  limit: number;
  offset: number;
  after: { at: Date; id: number } | null;
}
/** Counts rows up to the cap, or as far as the page shown reaches. `capped`: there are more. */
export async function countCapped(
  tx: Tx,
  from: RawBuilder<unknown>,
  window: Pick<PageWindow, 'limit' | 'offset'>,
): Promise<{ total: number; capped: boolean }> {
  const most = Math.max(maxCounted, window.offset + window.limit) + 1;
  const n = await countUpTo(tx, from, most);
  return { total: Math.min(n, most - 1), capped: n === most };
}

export interface ConversationFilter {
  /** What the person may not see, and so not find. Null: nothing. */
  hidden: Hidden | null;
  companyId: number;
  sight: VisibleNumbers;
  numbers: readonly number[] | undefined;
  /** Keys of sources. */
  sources?: readonly string[] | undefined;
  kinds: readonly string[] | undefined;
  archived: boolean | null;
  unread: boolean;
  /** Those with a text that may be an opt-out, until someone decides. */
  possibleOptOut?: boolean;
  search: InboxSearch | null;
  activeSince: Date | null;
  itemsSince: Date;
  until: Date;
  /** Snoozed only. */
  snoozed?: boolean;
  /** Assigned to this user, or to no one and no team (null). */
  assigned?: number | null;
  /** Assigned to this team, or to any of the requester's. */
  team?: number | 'mine';
  /** The requester, for `assigned:me` and their teams. */
  me?: number;
  /** Longest waiting first. */
  oldestFirst?: boolean;
}
function conditionsWithoutSearch(f: ConversationFilter): RawBuilder<unknown>[] {
  const parts: RawBuilder<unknown>[] = [
    sql`c.company_id = ${f.companyId}`,
    sql`c.deleted_at is null`,
  ];
  if (f.snoozed) parts.push(sql`c.snoozed_until is not null`);
  else if (f.archived !== null)
    parts.push(
      f.archived
        ? sql`c.archived_at is not null and c.snoozed_until is null`
        : sql`c.archived_at is null`,
    );
  if (f.assigned !== undefined)
    parts.push(
      f.assigned === null
        ? sql`c.assigned_to is null and c.team_id is null`
        : sql`c.assigned_to = ${f.assigned}`,
    );
  if (f.team !== undefined)
    parts.push(
      f.team === 'mine'
        ? sql`c.team_id in (select m.team_id from team_member m
            where m.company_id = ${f.companyId} and m.user_id = ${f.me ?? 0})`
        : sql`c.team_id = ${f.team}`,
    );
  if (f.sight) parts.push(sql`c.number_id = any(${ids(f.sight)})`);
  if (f.numbers?.length) parts.push(sql`c.number_id = any(${ids(f.numbers)})`);
  if (f.unread) parts.push(sql`c.unread > 0`);
  if (f.possibleOptOut)
    parts.push(sql`exists (select from possible_opt_out p where p.company_id = c.company_id
        and p.party = c.party and p.number_id = c.number_id and p.decided_at is null)`);
  if (f.activeSince) parts.push(sql`c.last_activity_at >= ${f.activeSince}`);
  if (f.kinds?.length)
    parts.push(
      sql`exists (select from conversation_item i where i.company_id = c.company_id
          and i.conversation_id = c.id and i.deleted_at is null and ${kindCondition(f.kinds)})`,
    );
  return parts;
}
/** The condition of a list without a search. */
export const noSearch: SearchCondition = { parts: [], walkLimit: null, newestLimit: null };
async function resolveSearch(
  tx: Tx,
  f: ConversationFilter,
  metSoon: number | null = null,
): Promise<SearchCondition> {
  const scope = {
    companyId: f.companyId,
    hidden: f.hidden,
    me: f.me ?? 0,
    since: f.itemsSince,
    until: f.until,
  };
  const found = f.search ? await findConversations(tx, f.search, scope, metSoon) : noSearch;
  if (!f.sources?.length) return found;
  const from = await conversationsOfSources(tx, f.companyId, f.sources);
  return {
    ...found,
    parts: [...found.parts, ...from.parts],
    walkLimit: found.walkLimit ?? from.walkLimit,
  };
}
/** Where a list is read from: everything, or its newest so many. */
const listSource = (
  plain: readonly RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  newest: number | null,
) =>
  newest === null
    ? sql`conversation c`
    : sql`(select c.* from conversation c where ${and(plain)} order by ${order} limit ${newest}) c`;

/** A page of conversations by their latest activity. A cursor wins over the page number. */
export async function conversationPage(
  tx: Tx,
  f: ConversationFilter,
  window: PageWindow,
): Promise<Page<ConversationRow>> {
  if (f.search && (await isMetSoon(tx, f.companyId, f.search, window))) {
    const page = await pageOfFound(
      tx,
      f,
      window,
      await resolveSearch(tx, f, window.offset + window.limit),
    );
    if (page.rows.length === window.limit) return page;
  }
  return pageOfFound(tx, f, window, await resolveSearch(tx, f));
}

async function pageOfFound(
  tx: Tx,
  f: ConversationFilter,
  window: PageWindow,
  found: SearchCondition,
): Promise<Page<ConversationRow>> {
  const base = conditionsWithoutSearch(f);
  const where = and([...base, ...found.parts]);
  const direction = f.oldestFirst
    ? { than: sql`>`, order: sql`asc` }
    : { than: sql`<`, order: sql`desc` };
  const order = sql`c.last_activity_at ${direction.order}, c.id ${direction.order}`;
  const behindCursor = window.after
    ? [sql`(c.last_activity_at, c.id) ${direction.than} (${window.after.at}, ${window.after.id})`]
    : [];
  const countLimit = Math.max(maxCounted, window.offset + window.limit) + 1;
  const [from, countSource] = [
    listSource([...base, ...(found.isFromCursor ? behindCursor : [])], order, found.newestLimit),
    listSource(base, order, found.walkLimit),
  ];
  // The count comes with the rows: another round trip would cost as much as the page.
  const beyond =
    found.walkLimit === null
      ? sql`false`
      : sql`(select count(*) > ${found.walkLimit}::int
          from (select 1 from conversation c where ${and(base)} limit ${found.walkLimit + 1}) x)`;
  // Every screen requests the list without filters again and again. Its plan is the same for all as
  // long as the limits are literals; few page sizes, because each plan is kept.
  const isPrepared =
    [25, 50, 100].includes(window.limit) &&
    !f.sight &&
    !f.numbers?.length &&
    !f.sources?.length &&
    !f.kinds?.length &&
    !f.search &&
    !f.activeSince &&
    !f.possibleOptOut &&
    !window.offset;
  const n = (count: number) => (isPrepared ? sql.raw(String(Math.trunc(count))) : sql`${count}`);
  const { rows } = await sql<
    ConversationRow & { counted: number; beyond: boolean }
  >`${isPrepared ? prepared : sql``}select ${conversationColumns('c')}, (select count(*)::int
      from (select 1 from ${countSource} where ${where} limit ${n(countLimit)}) x) counted,
    ${beyond} beyond from ${from} where ${and([where, ...behindCursor])}
    order by ${order} limit ${n(window.limit)}
      offset ${n(window.after ? 0 : window.offset)}`.execute(tx);
  const [first] = rows;
  // Only the newest were counted: there may be more.
  if (first)
    return {
      rows,
      total: Math.max(
        Math.min(first.counted, countLimit - 1),
        first.beyond ? (window.after ? 0 : window.offset) + rows.length : 0,
      ),
      capped: first.counted === countLimit || first.beyond,
    };
  if (found.walkLimit !== null) return { rows, total: 0, capped: false };
  return { rows, ...(await countCapped(tx, sql`from conversation c where ${where}`, window)) };
}
/** Rows of `from`, counted up to `most`: counting further would cost more than the page. */
export const countUpTo = async (tx: Tx, from: RawBuilder<unknown>, most: number): Promise<number> =>
  (
    await sql<{
      n: number;
    }>`select count(*)::int n from (select 1 ${from} limit ${most}) counted`.execute(tx)
  ).rows[0]?.n ?? 0;
/** The count, up to one more than `most`. */
export async function conversationCount(
  tx: Tx,
  f: ConversationFilter,
  most: number,
): Promise<number> {
  const [plain, found] = [conditionsWithoutSearch(f), await resolveSearch(tx, f)];
  return countUpTo(
    tx,
    sql`from ${listSource(plain, sql`c.last_activity_at desc, c.id desc`, found.walkLimit)}
      where ${and([...plain, ...found.parts])}`,
    most + 1,
  );
}

/** Unread counts by number and kind. Reads only conversations with something unread. */
export const unreadByNumber = async (tx: Tx, companyId: number, sight: VisibleNumbers) =>
  (
    await sql<{
      number_id: number;
      messages: number;
      calls: number;
      voicemails: number;
      faxes: number;
    }>`select number_id, sum(unread_messages)::int messages, sum(unread_calls)::int calls,
      sum(unread_voicemails)::int voicemails, sum(unread_faxes)::int faxes
    from conversation where company_id = ${companyId} and unread > 0 and deleted_at is null
      ${sight ? sql`and number_id = any(${ids(sight)})` : sql``} group by number_id`.execute(tx)
  ).rows;
