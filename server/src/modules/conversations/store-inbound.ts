import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { ConversationRow, ItemRow } from './store.ts';

export const knownEvents = async (tx: Tx, companyId: number, carrier: string, eventIds: readonly string[]): Promise<Set<string>> =>
  new Set((await tx.selectFrom('conversation_item').select('provider_event_id').where('company_id', '=', companyId).where('carrier', '=', carrier).where('provider_event_id', 'in', [...eventIds]).execute()).map((r) => r.provider_event_id!));

/** Conversations of many pairs, made where there are none and locked, in one order for everybody. */
export const openConversations = async (tx: Tx, companyId: number, pairs: readonly { numberId: number; party: string; contactId: number | null; archived: boolean }[], at: Date): Promise<ConversationRow[]> => {
  const sorted = [...pairs].sort((a, b) => a.numberId - b.numberId || (a.party < b.party ? -1 : 1));
  return (await sql<ConversationRow>`insert into conversation (company_id, number_id, party, contact_id, created_at, last_activity_at, archived_at)
    select ${companyId}, p.number_id, p.party, p.contact_id, ${at}, ${at}, case when p.archived then ${at}::timestamptz end
    from unnest(${sorted.map((p) => p.numberId)}::bigint[], ${sorted.map((p) => p.party)}::text[], ${sorted.map((p) => p.contactId)}::bigint[], ${sorted.map((p) => p.archived)}::boolean[]) with ordinality p(number_id, party, contact_id, archived, n) order by p.n
    on conflict (company_id, number_id, party) do update set contact_id = coalesce(conversation.contact_id, excluded.contact_id), deleted_at = null returning *`.execute(tx)).rows;
};

export interface NewText { conversationId: number; numberId: number; details: string; text: string; eventId: string; unread: boolean }
/** Store many incoming texts; those the carrier said before are left out of the answer. */
export const insertTexts = async (tx: Tx, companyId: number, carrier: string, texts: readonly NewText[], at: Date): Promise<ItemRow[]> =>
  (await sql<ItemRow>`insert into conversation_item (company_id, conversation_id, number_id, kind, is_inbound, created_at, read_at, details, text, delivery_state, carrier, provider_event_id)
    select ${companyId}, t.conversation_id, t.number_id, 'message', true, ${at}, case when t.unread then null else ${at}::timestamptz end, t.details::jsonb, t.text, 'received', ${carrier}, t.event_id
    from unnest(${texts.map((t) => t.conversationId)}::bigint[], ${texts.map((t) => t.numberId)}::bigint[], ${texts.map((t) => t.details)}::text[], ${texts.map((t) => t.text)}::text[], ${texts.map((t) => t.eventId)}::text[], ${texts.map((t) => t.unread)}::boolean[])
      with ordinality t(conversation_id, number_id, details, text, event_id, unread, n) order by t.n
    on conflict do nothing returning *`.execute(tx)).rows;

export interface Heard { conversationId: number; itemId: number; details: string; more: number; quiet: boolean }
/**
 * Their conversations' latest item, unread count and place in the inbox. The transaction holds them already (`openConversations`), so
 * they stay where they are: their places are looked up one by one, whatever the planner knows, and no join reads all of a company's.
 */
export const bumpConversations = async (tx: Tx, companyId: number, heard: readonly Heard[], at: Date): Promise<ConversationRow[]> =>
  (await sql<ConversationRow>`update conversation c set heard_at = greatest(c.heard_at, ${at}::timestamptz), unread_messages = c.unread_messages + h.more,
      last_activity_at = case when h.quiet then c.last_activity_at else greatest(c.last_activity_at, ${at}::timestamptz) end, archived_at = case when h.quiet then c.archived_at end,
      latest_item_id = case when h.quiet then c.latest_item_id else h.item_id end, latest_kind = case when h.quiet then c.latest_kind else 'message' end, latest_inbound = case when h.quiet then c.latest_inbound else true end,
      latest_at = case when h.quiet then c.latest_at else ${at}::timestamptz end, latest_details = case when h.quiet then c.latest_details else h.details::jsonb end
    from unnest(${heard.map((h) => h.conversationId)}::bigint[], ${heard.map((h) => h.itemId)}::bigint[], ${heard.map((h) => h.details)}::text[], ${heard.map((h) => h.more)}::int[], ${heard.map((h) => h.quiet)}::boolean[]) h(id, item_id, details, more, quiet)
    where c.ctid = any(array(select k.place from unnest(${heard.map((h) => h.conversationId)}::bigint[]) of cross join lateral (
        select k.ctid place from conversation k where k.company_id = ${companyId} and k.id >= of and k.id <= of order by k.id limit 1) k))
      and c.company_id = ${companyId} and c.id = h.id returning c.*`.execute(tx)).rows;

/** Which of these conversations have a plan that a reply cancels. */
export const withCancelOnReply = async (tx: Tx, companyId: number, ids: readonly number[]): Promise<number[]> =>
  (await sql<{ conversation_id: number }>`select distinct conversation_id from conversation_item where company_id = ${companyId} and conversation_id = any(${[...ids]}::bigint[])
    and kind = 'scheduledmessage' and details ->> 'state' = 'pending' and (details ->> 'cancelIfReply')::boolean and deleted_at is null`.execute(tx)).rows.map((r) => r.conversation_id);
