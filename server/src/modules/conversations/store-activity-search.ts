import { sourceFields } from '#contract/conversations/rules';
import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import {
  activityCondition,
  filterCondition,
  isMatched,
  isOfKinds,
  missedSince,
  timeCondition,
  visibleItems,
  type ActivityFilter,
  type Filter,
} from './store-activity.ts';
import { matchFilters, type Matches } from './store-activity-matches.ts';
import {
  inboxItemPage,
  itemsByIds,
  theirConversation,
  type InboxItemRow,
} from './store-item-lists.ts';
import type { Page, PageWindow } from './store-lists.ts';
import { and, ids } from './store-search.ts';

/** A filter that no index answers looks through this many items, newest first. */
export const MOST_SEARCHED = 20_000;
/** Matches are counted this far. */
const MOST_COUNTED = 1000;

/** A page of a search. `searchedSince`: how far back it looked; null: through everything. */
type SearchedPage = Page<InboxItemRow> & { searchedSince: Date | null };

/** Filters that most items pass: the list is walked in its own order until the page is full. */
const passedByMost = ({ field, value, op }: Filter): boolean =>
  field === 'direction' || field === 'at' || (field === 'campaign' && !isOn({ field, value, op }));

/** A page of activity by filter, newest first. */
export async function activityPage(
  tx: Tx,
  f: ActivityFilter,
  w: PageWindow,
): Promise<SearchedPage> {
  if (f.groups.flat().every(passedByMost) && !f.extraConditions?.length)
    return { ...(await inboxItemPage(tx, activityCondition(f), w)), searchedSince: null };
  return searchActivity(tx, f, w);
}

/**
 * A page of activity by filters. Candidates come from the index of the most selective filter, at
 * most `MOST_SEARCHED` of them, newest first, so that no filter reads a whole company. Matches are
 * counted to `MOST_COUNTED`: where many match, few candidates are read.
 */
async function searchActivity(tx: Tx, f: ActivityFilter, w: PageWindow): Promise<SearchedPage> {
  const matches = await matchFilters(tx, f);
  const groups = f.groups.filter((group) => group.length);
  const [only] = groups.length === 1 ? groups : [];
  const after = w.after ? sql`(i.created_at, i.id) < (${w.after.at}, ${w.after.id})` : sql`true`;
  const candidates = candidatesOf(f, only ?? [], matches, after, groups);
  const wanted = groups.map((group) =>
    and(group.map((filter) => matches.get(filter)?.condition ?? filterCondition(filter, f))),
  );
  const where = and([
    ...(wanted.length ? [sql`(${sql.join(wanted, sql` or `)})`] : []),
    ...(f.extraConditions?.length
      ? [sql`i.kind in ('call', 'voicemail')`, ...f.extraConditions]
      : []),
  ]);
  const offset = w.after ? 0 : w.offset;
  const most = Math.max(MOST_COUNTED, offset + w.limit) + 1;
  const { rows: found } = await sql<{ id: number }>`select i.id from (${union(
    candidates.map(({ columns }) => columns(sql`i.*`)),
  )}) i
    ${theirConversation(f.companyId)}
    where c.deleted_at is null and ${where} order by i.created_at desc, i.id desc limit ${most}`.execute(
    tx,
  );
  const isWhole = found.length < most;
  const searchedSince = isWhole ? await endOf(tx, candidates) : null;
  const ofPage = found.slice(offset, offset + w.limit).map((row) => row.id);
  return {
    rows: ofPage.length ? await itemsByIds(tx, f.companyId, ofPage) : [],
    total: Math.min(found.length, most - 1),
    capped: !isWhole || searchedSince !== null,
    searchedSince,
  };
}

/** How far back all candidates go: one part may go further than another. Null: they are all there are. */
async function endOf(tx: Tx, candidates: readonly Candidates[]): Promise<Date | null> {
  if (!candidates.length) return null;
  const ends = candidates.map(
    ({ columns, most }) =>
      sql`(select created_at from (${columns(sql`i.created_at, i.id`)}) i offset ${most - 1} limit 1)`,
  );
  const { rows } = await sql<{ since: Date | null }>`
    select max(created_at) since from (${sql.join(ends, sql` union all `)}) e`.execute(tx);
  return rows[0]?.since ?? null;
}

/** The newest items of an index, at most so many: a source of these columns of `i`. */
interface Candidates {
  columns: (columns: RawBuilder<unknown>) => RawBuilder<unknown>;
  most: number;
}

/**
 * The newest items that could match, through the index of one filter of the only group, from one or
 * several parts.
 */
function candidatesOf(
  f: ActivityFilter,
  group: readonly Filter[],
  matches: Matches,
  after: RawBuilder<unknown>,
  groups: readonly (readonly Filter[])[],
): Candidates[] {
  const base = and([
    visibleItems(f),
    after,
    ...group.filter(({ field }) => field === 'at').map((filter) => timeCondition(filter, f.tz)),
  ]);
  const newest = (more: RawBuilder<unknown>, most = MOST_SEARCHED): Candidates => ({
    columns: (columns) =>
      sql`(select ${columns} from conversation_item i where ${base} and ${more}
        order by i.created_at desc, i.id desc limit ${most})`,
    most,
  });
  /** Fenced, so that the planner can't walk everything in order instead of using the small index. */
  const fenced = (more: RawBuilder<unknown>): Candidates[] => [
    {
      columns: (columns) => sql`select * from (with few as materialized
          (select ${columns} from conversation_item i where ${base} and ${isOfKinds(f)} and ${more})
        select * from few i order by i.created_at desc, i.id desc limit ${MOST_SEARCHED}) i`,
      most: MOST_SEARCHED,
    },
  ];
  /** Each part has an index of its own, and the same share of what is looked through. */
  const each = (parts: readonly RawBuilder<unknown>[]): Candidates[] =>
    parts.map((part) => newest(part, Math.ceil(MOST_SEARCHED / parts.length)));
  // A kind alone, with nothing beside it, so that its own index is chosen without statistics.
  const eachKind = f.kinds.map((kind) => sql`i.kind = ${sql.lit(kind)}`);
  const isAnyOf = (column: RawBuilder<unknown>, values: readonly number[]) =>
    values.map((value) => sql`${isOfKinds(f)} and ${column} = ${value}::bigint`);

  for (const filter of group) {
    const match = matches.get(filter);
    if (match?.items) return fenced(sql`i.id = any(${ids(match.items)})`);
    if (match?.conversations)
      return fenced(sql`i.conversation_id = any(${ids(match.conversations)})`);
  }
  if (groups.length > 0 && groups.every((any) => any.some(isOfSource)))
    return [newest(sql`${isMatched} and i.kind = any(${[...f.kinds]}::text[])`)];
  for (const filter of group) {
    if (filter.field === 'callback_due' && isOn(filter)) return fenced(missedSince(f.now));
    if (filter.field === 'unread' && isOn(filter))
      // The kind as a query of its own fits no index but that of unread items.
      return each(
        f.kinds.map(
          (kind) => sql`i.kind = (select ${kind}::text) and i.read_at is null and i.is_inbound`,
        ),
      );
    const values = idsOf(filter);
    if (values && filter.field === 'user_id') return each(isAnyOf(sql`i.actor_id`, values));
    if (values && filter.field === 'number_id') return each(isAnyOf(sql`i.number_id`, values));
    if (filter.field === 'delivery_state' && isUndelivered(filter) && isTextsOnly(f))
      return [
        newest(sql`${isOfKinds(f)}
        and i.delivery_state not in ('received', 'delivered', 'sent')`),
      ];
  }
  // One index for texts and one for the others, so that few of one aren't looked for among many.
  return each(eachKind);
}

const union = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  parts.length
    ? sql.join(parts, sql` union all `)
    : sql`select i.* from conversation_item i where false`;

/** A filter that only calls and texts to tracking numbers pass. */
const isOfSource = ({ field, op }: Filter): boolean =>
  op !== 'ne' && (sourceFields as readonly string[]).includes(field);

/** A filter that asks for what is, not for what isn't. */
const isOn = ({ op, value }: Filter): boolean =>
  (value === true || value === 1 || value === '1' || value === 'true') !== (op === 'ne');
const mostValues = 20;
/** The ids that an `eq` or `in` filter names; null: another filter, or too many. */
function idsOf({ op, value }: Filter): number[] | null {
  if (op !== 'eq' && op !== 'in') return null;
  const values = [...new Set((Array.isArray(value) ? value : [value]).map(Number))];
  return values.length <= mostValues ? values.filter((id) => Number.isSafeInteger(id)) : null;
}
const arrived = new Set(['received', 'delivered', 'sent']);
const isUndelivered = ({ op, value }: Filter): boolean =>
  (op === 'eq' || op === 'in') &&
  (Array.isArray(value) ? value : [value]).every((state) => !arrived.has(String(state)));
/** Faxes keep their state elsewhere. */
const isTextsOnly = ({ kinds }: ActivityFilter): boolean => !kinds.includes('fax');
