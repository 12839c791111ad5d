import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import {
  activityBase,
  activityCondition,
  filterCondition,
  missedSince,
  timeCondition,
  type ActivityFilter,
  type Filter,
} from './store-activity.ts';
import { matchFilters, type Matches } from './store-activity-matches.ts';
import { inboxItemPage, type InboxItemRow } from './store-item-lists.ts';
import type { Page, PageWindow } from './store-lists.ts';
import { and, ids } from './store-search.ts';

/** A filter that no index answers looks through this many items, newest first. */
export const MOST_SEARCHED = 20_000;

/** A page of a search. `searchedSince`: how far back it looked; null: through everything. */
export type SearchedPage = Page<InboxItemRow> & { searchedSince: Date | null };

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
 * most `MOST_SEARCHED` of them, newest first, so that no filter reads a whole company.
 */
async function searchActivity(tx: Tx, f: ActivityFilter, w: PageWindow): Promise<SearchedPage> {
  const matches = await matchFilters(tx, f);
  const groups = f.groups.filter((group) => group.length);
  const [only] = groups.length === 1 ? groups : [];
  const after = w.after ? sql`(i.created_at, i.id) < (${w.after.at}, ${w.after.id})` : sql`true`;
  const candidates = candidatesOf(f, only ?? [], matches, after);
  const wanted = groups.map((group) =>
    and(group.map((filter) => matches.get(filter)?.condition ?? filterCondition(filter, f))),
  );
  const where = and([
    sql`c.deleted_at is null`,
    ...(wanted.length ? [sql`(${sql.join(wanted, sql` or `)})`] : []),
    ...(f.extraConditions?.length
      ? [sql`i.kind in ('call', 'voicemail')`, ...f.extraConditions]
      : []),
  ]);
  const { rows } = await sql<{
    searched: number;
    since: Date | null;
    total: number;
    ids: number[];
  }>`
    select searched, since, cardinality(found)::int total,
      found[${w.after ? 1 : w.offset + 1}::int : ${(w.after ? 0 : w.offset) + w.limit}::int] ids
    from (select count(*)::int searched, min(i.created_at) since,
        coalesce(array_agg(i.id order by i.created_at desc, i.id desc) filter (where ${where}),
          '{}') found
      from (${candidates}) i
      join conversation c on c.company_id = i.company_id and c.id = i.conversation_id) s`.execute(
    tx,
  );
  const [result] = rows;
  if (!result) return { rows: [], total: 0, capped: false, searchedSince: null };
  const { searched, since, total } = result;
  const isBounded = searched >= MOST_SEARCHED;
  return {
    rows: result.ids.length ? await itemsByIds(tx, f.companyId, result.ids) : [],
    total,
    capped: isBounded,
    searchedSince: isBounded ? since : null,
  };
}

const itemsByIds = async (tx: Tx, companyId: number, found: readonly number[]) =>
  (
    await sql<InboxItemRow>`select i.*, c.party, c.contact_id from conversation_item i
      join conversation c on c.company_id = i.company_id and c.id = i.conversation_id
      where i.company_id = ${companyId} and i.id = any(${ids(found)})
      order by i.created_at desc, i.id desc`.execute(tx)
  ).rows;

/** The newest items that could match, through the index of one filter of the only group. */
function candidatesOf(
  f: ActivityFilter,
  group: readonly Filter[],
  matches: Matches,
  after: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const base = and([
    activityBase(f),
    after,
    ...group.filter(({ field }) => field === 'at').map((filter) => timeCondition(filter, f.tz)),
  ]);
  const newest = (more: RawBuilder<unknown>, most = MOST_SEARCHED) =>
    sql`(select i.* from conversation_item i where ${base} and ${more}
      order by i.created_at desc, i.id desc limit ${most})`;
  /** Fenced, so that the planner can't walk everything in order instead of using the small index. */
  const fenced = (more: RawBuilder<unknown>) =>
    sql`select * from (with few as materialized
        (select i.* from conversation_item i where ${base} and ${more})
      select * from few i order by i.created_at desc, i.id desc limit ${MOST_SEARCHED}) i`;
  const each = (column: RawBuilder<unknown>, values: readonly number[]) =>
    union(
      values.map((value) =>
        newest(sql`${column} = ${value}::bigint`, Math.ceil(MOST_SEARCHED / values.length)),
      ),
    );

  for (const filter of group) {
    const match = matches.get(filter);
    if (match?.items) return fenced(sql`i.id = any(${ids(match.items)})`);
    if (match?.conversations)
      return fenced(sql`i.conversation_id = any(${ids(match.conversations)})`);
  }
  for (const filter of group) {
    if (filter.field === 'callback_due' && isOn(filter)) return fenced(missedSince(f.now));
    if (filter.field === 'unread' && isOn(filter))
      return fenced(sql`i.read_at is null and i.is_inbound`);
    const values = idsOf(filter);
    if (values && filter.field === 'user_id') return each(sql`i.actor_id`, values);
    if (values && filter.field === 'number_id') return each(sql`i.number_id`, values);
    if (filter.field === 'delivery_state' && isUndelivered(filter) && isTextsOnly(f))
      return newest(sql`i.delivery_state not in ('received', 'delivered', 'sent')`);
  }
  // One index for texts and one for the others, so that few of one aren't looked for among many.
  return union(
    f.kinds.map((kind) =>
      newest(sql`i.kind = ${sql.lit(kind)}`, Math.ceil(MOST_SEARCHED / f.kinds.length)),
    ),
  );
}

const union = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  parts.length
    ? sql.join(parts, sql` union all `)
    : sql`select i.* from conversation_item i where false`;

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
