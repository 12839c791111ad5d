import { sql, type RawBuilder } from 'kysely';
import type { Hidden } from '../../platform/masking/mask-text.ts';
import type { Tx } from '../../platform/db.ts';
import type { InboxSearch } from './rules.ts';
import { isMatched } from './store-activity.ts';
import { countCapped, countUpTo, noSearch, type Page, type PageWindow } from './store-lists.ts';
import { and, findItems, ids, isOfSources, kindCondition } from './store-search.ts';
import type { ItemRow, VisibleNumbers } from './store.ts';

/** A sent scheduled text is in the thread as the text it became. */
const visibleItem = sql`i.deleted_at is null
  and not (i.kind = 'scheduledmessage' and i.details ->> 'state' = 'sent')`;

/** A page of a conversation's items, newest first. A cursor wins over the page number. */
export async function threadPage(
  tx: Tx,
  companyId: number,
  conversationId: number,
  kinds: readonly string[] | undefined,
  w: PageWindow,
): Promise<Page<ItemRow>> {
  const where = and([
    sql`i.company_id = ${companyId} and i.conversation_id = ${conversationId}`,
    visibleItem,
    ...(kinds?.length ? [sql`i.kind = any(${[...kinds]}::text[])`] : []),
  ]);
  const place = w.after ? sql`and (i.created_at, i.id) < (${w.after.at}, ${w.after.id})` : sql``;
  const { rows } = await sql<ItemRow>`select i.* from conversation_item i
      where ${where} ${place} order by i.created_at desc, i.id desc
      limit ${w.limit} offset ${w.after ? 0 : w.offset}`.execute(tx);
  return { rows, ...(await countCapped(tx, sql`from conversation_item i where ${where}`, w)) };
}
/** Where a page of `limit` starts so that this item is in its middle; null: at the newest. */
export async function cursorAround(
  tx: Tx,
  companyId: number,
  conversationId: number,
  itemId: number,
  limit: number,
): Promise<{ at: Date; id: number } | null> {
  const { rows } = await sql<{
    created_at: Date;
    id: number;
  }>`select i.created_at, i.id from conversation_item i, conversation_item x
    where x.company_id = ${companyId} and x.conversation_id = ${conversationId} and x.id = ${itemId}
      and i.company_id = x.company_id and i.conversation_id = x.conversation_id and ${visibleItem}
      and (i.created_at, i.id) > (x.created_at, x.id)
        order by i.created_at, i.id offset ${Math.floor(limit / 2)} limit 1`.execute(tx);
  return rows[0] ? { at: rows[0].created_at, id: rows[0].id } : null;
}

export type InboxItemRow = ItemRow & { party: string; contact_id: number | null };
interface ItemFilter {
  /** What the person may not see, and so not find. Null: nothing. */
  hidden: Hidden | null;
  me?: number;
  companyId: number;
  sight: VisibleNumbers;
  numbers: readonly number[] | undefined;
  /** Keys of sources. */
  sources?: readonly string[] | undefined;
  kinds: readonly string[] | undefined;
  archived: boolean | null;
  search: InboxSearch | null;
  since: Date;
  until: Date;
}
/** A page of items across conversations by filter, newest first. */
export async function itemPage(tx: Tx, f: ItemFilter, w: PageWindow): Promise<Page<InboxItemRow>> {
  const parts: RawBuilder<unknown>[] = [
    sql`i.company_id = ${f.companyId}`,
    visibleItem,
    sql`c.deleted_at is null`,
  ];
  if (f.kinds?.length) parts.push(kindCondition(f.kinds));
  if (f.sight) parts.push(sql`i.number_id = any(${ids(f.sight)})`);
  if (f.numbers?.length) parts.push(sql`i.number_id = any(${ids(f.numbers)})`);
  if (f.sources?.length) parts.push(isMatched, isOfSources(f.sources));
  if (f.archived !== null)
    parts.push(f.archived ? sql`c.archived_at is not null` : sql`c.archived_at is null`);
  const found = f.search
    ? await findItems(tx, f.search, {
        companyId: f.companyId,
        hidden: f.hidden,
        me: f.me ?? 0,
        since: f.since,
        until: f.until,
      })
    : { ...noSearch, parts: [sql`i.created_at >= ${f.since} and i.created_at < ${f.until}`] };
  return inboxItemPage(
    tx,
    and([...parts, ...found.parts]),
    w,
    found.walkLimit === null
      ? null
      : { companyId: f.companyId, counted: found.walkLimit, newest: found.newestLimit },
  );
}

/** The source of items for lists outside their conversation. */
export const itemSource = (items: RawBuilder<unknown> = sql`conversation_item i`) =>
  sql`from ${items} join conversation c on c.company_id = i.company_id and c.id = i.conversation_id`;

/** Conversations by their key, fenced: without statistics a join would read all of the company. */
export const theirConversation = (companyId: number) =>
  sql`cross join lateral (select * from conversation
    where company_id = ${companyId} and id = i.conversation_id limit 1) c`;

/** Items with their conversation's party, newest first. */
export const itemsByIds = async (tx: Tx, companyId: number, found: readonly number[]) =>
  (
    await sql<InboxItemRow>`select i.*, c.party, c.contact_id from conversation_item i
      ${theirConversation(companyId)}
      where i.company_id = ${companyId} and i.id = any(${ids(found)})
      order by i.created_at desc, i.id desc`.execute(tx)
  ).rows;

/**
 * Items with their conversation's party, newest first. `walk`: so many match that only the newest
 * are counted.
 */
export async function inboxItemPage(
  tx: Tx,
  where: RawBuilder<unknown>,
  w: PageWindow,
  walk: { companyId: number; counted: number; newest: number | null } | null = null,
): Promise<Page<InboxItemRow>> {
  const items = (newest: number | null) =>
    newest === null || !walk
      ? sql`conversation_item i`
      : sql`(select i.* from conversation_item i where i.company_id = ${walk!.companyId}
          and i.deleted_at is null order by i.created_at desc, i.id desc limit ${newest}) i`;
  const from = (newest: number | null) => sql`${itemSource(items(newest))} where ${where}`;
  const place = w.after ? sql`and (i.created_at, i.id) < (${w.after.at}, ${w.after.id})` : sql``;
  const { rows } =
    await sql<InboxItemRow>`select i.*, c.party, c.contact_id ${from(walk?.newest ?? null)} ${place}
      order by i.created_at desc, i.id desc
      limit ${w.limit} offset ${w.after ? 0 : w.offset}`.execute(tx);
  const { total, capped } = await countCapped(tx, from(walk?.counted ?? null), w);
  if (!walk) return { rows, total, capped };
  const beyond =
    (await countUpTo(tx, sql`from ${items(walk.counted + 1)}`, walk.counted + 1)) > walk.counted;
  return {
    rows,
    total: Math.max(total, (w.after ? 0 : w.offset) + rows.length),
    capped: capped || beyond,
  };
}
