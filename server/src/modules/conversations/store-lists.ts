import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Search } from './rules.ts';
import type { ConversationRow, ItemRow, Sight } from './store.ts';

/** Beyond this many a list says "1,000+": counting further would cost more than the page itself. */
const countTo = 1000;
const and = (parts: RawBuilder<unknown>[]) => (parts.length ? sql`${sql.join(parts, sql` and `)}` : sql`true`);
const ids = (list: readonly number[]) => sql`${[...list]}::bigint[]`;
const like = (text: string) => `%${text.replace(/[%_\\]/g, '\\$&')}%`;

/** Rows and how many there are in all, counted only so far. */
export interface Page<R> { rows: R[]; total: number; capped: boolean }
export interface Window { limit: number; offset: number; after: { at: Date; id: number } | null }
async function counted(tx: Tx, from: RawBuilder<unknown>, window: Window): Promise<{ total: number; capped: boolean }> {
  const most = Math.max(countTo, window.offset + window.limit) + 1;
  const { rows } = await sql<{ n: number }>`select count(*)::int n from (select 1 ${from} limit ${most}) counted`.execute(tx);
  const n = rows[0]?.n ?? 0;
  return { total: Math.min(n, most - 1), capped: n === most };
}

export interface ConversationFilter {
  companyId: number; sight: Sight; numbers: readonly number[] | undefined; kinds: readonly string[] | undefined; archived: boolean | null; unread: boolean; search: Search | null; activeSince: Date | null; itemsSince: Date; until: Date;
}
export async function conversationPage(tx: Tx, f: ConversationFilter, w: Window): Promise<Page<ConversationRow>> {
  const parts: RawBuilder<unknown>[] = [sql`c.company_id = ${f.companyId}`, sql`c.deleted_at is null`];
  if (f.archived !== null) parts.push(f.archived ? sql`c.archived_at is not null` : sql`c.archived_at is null`);
  if (f.sight) parts.push(sql`c.number_id = any(${ids(f.sight)})`);
  if (f.numbers?.length) parts.push(sql`c.number_id = any(${ids(f.numbers)})`);
  if (f.unread) parts.push(sql`c.unread > 0`);
  if (f.activeSince) parts.push(sql`c.last_activity_at >= ${f.activeSince}`);
  if (f.kinds?.length) parts.push(sql`exists (select from conversation_item i where i.company_id = c.company_id and i.conversation_id = c.id and i.deleted_at is null and i.kind = any(${[...f.kinds]}::text[]))`);
  const s = f.search;
  if (s && (s.words || s.digits)) parts.push(sql`c.id in (select m.id from conversations_matching(${f.companyId}, ${s.words ? like(s.words) : s.digits ? like(s.digits) : null}, ${s.digits ? like(s.digits) : null}, ${f.itemsSince}, ${f.until}) m)`);
  if (s?.from) parts.push(itemBy(s.from, true));
  if (s?.to) parts.push(itemBy(s.to, false));
  if (s?.hasMedia) parts.push(sql`exists (select from conversation_item i where i.company_id = c.company_id and i.conversation_id = c.id and i.deleted_at is null and i.kind = 'message' and jsonb_array_length(i.details -> 'media') > 0)`);
  if (s && !s.words && !s.digits && (s.before || s.after)) parts.push(sql`exists (select from conversation_item i where i.company_id = c.company_id and i.conversation_id = c.id and i.deleted_at is null and i.created_at >= ${f.itemsSince} and i.created_at < ${f.until})`);
  const where = and(parts);
  const place = w.after ? sql`and (c.last_activity_at, c.id) < (${w.after.at}, ${w.after.id})` : sql``;
  const { rows } = await sql<ConversationRow>`select c.* from conversation c where ${where} ${place} order by c.last_activity_at desc, c.id desc limit ${w.limit} offset ${w.after ? 0 : w.offset}`.execute(tx);
  return { rows, ...(await counted(tx, sql`from conversation c where ${where}`, w)) };
}
/** `from:` somebody: they wrote or called; `to:` somebody: we did. Our own number's digits turn it around. */
const itemBy = (digits: string, from: boolean) =>
  sql`exists (select from conversation_item i join number n on n.company_id = i.company_id and n.id = i.number_id where i.company_id = c.company_id and i.conversation_id = c.id and i.deleted_at is null
    and case when i.is_inbound = ${from} then c.party like ${like(digits)} else n.number like ${like(digits)} end)`;

/** What is unread, by number and kind. Only conversations with something unread are looked at. */
export const unreadByNumber = async (tx: Tx, companyId: number, sight: Sight) =>
  (await sql<{ number_id: number; messages: number; calls: number; voicemails: number; faxes: number }>`select number_id, sum(unread_messages)::int messages, sum(unread_calls)::int calls, sum(unread_voicemails)::int voicemails, sum(unread_faxes)::int faxes
    from conversation where company_id = ${companyId} and unread > 0 and deleted_at is null ${sight ? sql`and number_id = any(${ids(sight)})` : sql``} group by number_id`.execute(tx)).rows;

/** A scheduled text that was sent stands in the thread as the text it became. */
const shown = sql`i.deleted_at is null and not (i.kind = 'scheduledmessage' and i.details ->> 'state' = 'sent')`;

export async function threadPage(tx: Tx, companyId: number, conversationId: number, kinds: readonly string[] | undefined, w: Window): Promise<Page<ItemRow>> {
  const where = and([sql`i.company_id = ${companyId} and i.conversation_id = ${conversationId}`, shown, ...(kinds?.length ? [sql`i.kind = any(${[...kinds]}::text[])`] : [])]);
  const place = w.after ? sql`and (i.created_at, i.id) < (${w.after.at}, ${w.after.id})` : sql``;
  const { rows } = await sql<ItemRow>`select i.* from conversation_item i where ${where} ${place} order by i.created_at desc, i.id desc limit ${w.limit} offset ${w.after ? 0 : w.offset}`.execute(tx);
  return { rows, ...(await counted(tx, sql`from conversation_item i where ${where}`, w)) };
}
/** The place from which a page of `limit` has this item in its middle; null: from the newest. */
export async function placeAround(tx: Tx, companyId: number, conversationId: number, itemId: number, limit: number): Promise<{ at: Date; id: number } | null> {
  const { rows } = await sql<{ created_at: Date; id: number }>`select i.created_at, i.id from conversation_item i, conversation_item x
    where x.company_id = ${companyId} and x.conversation_id = ${conversationId} and x.id = ${itemId} and i.company_id = x.company_id and i.conversation_id = x.conversation_id and ${shown}
      and (i.created_at, i.id) > (x.created_at, x.id) order by i.created_at, i.id offset ${Math.floor(limit / 2)} limit 1`.execute(tx);
  return rows[0] ? { at: rows[0].created_at, id: rows[0].id } : null;
}

export type PlacedRow = ItemRow & { party: string; contact_id: number | null };
export interface ItemFilter { companyId: number; sight: Sight; numbers: readonly number[] | undefined; kinds: readonly string[] | undefined; archived: boolean | null; search: Search | null; since: Date; until: Date }
export async function itemPage(tx: Tx, f: ItemFilter, w: Window): Promise<Page<PlacedRow>> {
  const parts: RawBuilder<unknown>[] = [sql`i.company_id = ${f.companyId}`, shown, sql`c.deleted_at is null`];
  if (f.kinds?.length) parts.push(sql`i.kind = any(${[...f.kinds]}::text[])`);
  if (f.sight) parts.push(sql`i.number_id = any(${ids(f.sight)})`);
  if (f.numbers?.length) parts.push(sql`i.number_id = any(${ids(f.numbers)})`);
  if (f.archived !== null) parts.push(f.archived ? sql`c.archived_at is not null` : sql`c.archived_at is null`);
  const s = f.search;
  if (s && (s.words || s.digits)) parts.push(sql`i.id in (select m.id from items_matching(${f.companyId}, ${like(s.words ?? s.digits!)}, ${s.digits ? like(s.digits) : null}, ${f.since}, ${f.until}) m)`);
  else parts.push(sql`i.created_at >= ${f.since} and i.created_at < ${f.until}`);
  if (s?.from) parts.push(sql`case when i.is_inbound then c.party like ${like(s.from)} else n.number like ${like(s.from)} end`);
  if (s?.to) parts.push(sql`case when i.is_inbound then n.number like ${like(s.to)} else c.party like ${like(s.to)} end`);
  if (s?.hasMedia) parts.push(sql`i.kind = 'message' and jsonb_array_length(i.details -> 'media') > 0`);
  return placedPage(tx, and(parts), w);
}

/** Items with the party of their conversation, newest first. */
export async function placedPage(tx: Tx, where: RawBuilder<unknown>, w: Window): Promise<Page<PlacedRow>> {
  const from = sql`from conversation_item i join conversation c on c.company_id = i.company_id and c.id = i.conversation_id join number n on n.company_id = i.company_id and n.id = i.number_id where ${where}`;
  const place = w.after ? sql`and (i.created_at, i.id) < (${w.after.at}, ${w.after.id})` : sql``;
  const { rows } = await sql<PlacedRow>`select i.*, c.party, c.contact_id ${from} ${place} order by i.created_at desc, i.id desc limit ${w.limit} offset ${w.after ? 0 : w.offset}`.execute(tx);
  return { rows, ...(await counted(tx, from, w)) };
}
