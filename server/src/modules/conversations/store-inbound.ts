import { sql } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { firstOf } from '../../platform/must-be.ts';
import type { IncomingText } from '../../gateways/messaging.ts';
import type { ConversationRow } from './store.ts';

/**
 * Every statement here is planned once per connection: planning takes longer than storing a text.
 */
const columns = [
  'company_id',
  'id',
  'number_id',
  'party',
  'contact_id',
  'created_at',
  'last_activity_at',
  'archived_at',
  'deleted_at',
  'unread_messages',
  'unread_calls',
  'unread_voicemails',
  'unread_faxes',
  'unread',
  'latest_item_id',
  'latest_kind',
  'latest_inbound',
  'latest_at',
  'latest_details',
  'last_inbound_at',
  'assigned_to',
  'assigned_from',
  'assigned_name',
  'assigned_at',
  'team_id',
  'snoozed_until',
  'snoozed_by',
] as const satisfies readonly (keyof ConversationRow)[];
/** The columns of a conversation in SQL, each prefixed with the table's name. */
export const conversationColumns = (table: string) =>
  sql.raw(columns.map((column) => `${table}.${column}`).join(', '));

/** A text and which number of ours it was sent to. */
export interface RoutedText {
  numberId: number;
  text: IncomingText;
}

export interface ConversationKey {
  numberId: number;
  party: string;
}
/** The key of a conversation in maps: number ID and party. */
export const pairKey = (pair: ConversationKey): string => `${pair.numberId}:${pair.party}`;

interface InboundContext {
  /** Carriers' IDs that are stored already. */
  storedEventIds: Set<string>;
  /** The conversations' IDs by `pairKey`, including new ones. */
  conversationIds: Map<string, number>;
  /** At least one of the numbers has a keyword rule. */
  hasTriggers: boolean;
}
/**
 * What is there before texts are stored, in one statement. Each conversation is looked up alone, so
 * that no statistics are needed.
 */
export async function loadInboundContext(
  tx: Tx,
  companyId: number,
  carrier: string,
  eventIds: readonly string[],
  pairs: readonly ConversationKey[],
): Promise<InboundContext> {
  const { rows } = await sql<{
    known: string[];
    ids: [number, string, number][];
    rules: boolean;
  }>`${prepared}select
    (select coalesce(json_agg(i.provider_event_id), '[]')
        from unnest(${[...eventIds]}::text[]) asked
        cross join lateral (select k.provider_event_id from conversation_item k
      where k.company_id = ${companyId} and k.carrier = ${carrier} and k.provider_event_id >= asked
        and k.provider_event_id <= asked order by k.provider_event_id limit 1) i) known,
    (select coalesce(json_agg(json_build_array(p.number_id, p.party, coalesce(c.id, next_id()))),
          '[]') from ${conversationsByPair(companyId, pairs)}) ids,
    exists (select from number_trigger r where r.company_id = ${companyId}
        and r.number_id = any(${[...new Set(pairs.map((p) => p.numberId))]}::bigint[])
        and r.active) rules`.execute(tx);
  const { known, ids, rules } = firstOf(rows);
  return {
    storedEventIds: new Set(known),
    conversationIds: new Map(
      ids.map(([numberId, party, id]) => [pairKey({ numberId, party }), id]),
    ),
    hasTriggers: rules,
  };
}
const conversationsByPair = (companyId: number, pairs: readonly ConversationKey[]) =>
  sql`unnest(${pairs.map((p) => p.numberId)}::bigint[],
      ${pairs.map((p) => p.party)}::text[]) p(number_id, party) left join lateral (
      select k.id from conversation k
        where k.company_id = ${companyId} and k.number_id >= p.number_id
        and k.number_id <= p.number_id and k.party >= p.party and k.party <= p.party
      order by k.party, k.number_id limit 1) c on true`;

/**
 * Creates missing conversations and locks all, in the order everyone uses; returns their IDs by
 * `pairKey`. Existing ones aren't written: their rows get a new version with their text.
 */
export async function openConversations(
  tx: Tx,
  companyId: number,
  pairs: readonly (ConversationKey & { contactId: number | null; archived: boolean })[],
  at: Date,
): Promise<Map<string, number>> {
  const sorted = [...pairs].sort(compareKeys);
  const { rows } = await sql<{
    number_id: number;
    party: string;
    id: number;
  }>`${prepared}insert into conversation (company_id, number_id, party, contact_id, created_at,
      last_activity_at, archived_at)
    select ${companyId}, p.number_id, p.party, p.contact_id, ${at}, ${at},
      case when p.archived then ${at}::timestamptz end
    from unnest(${sorted.map((p) => p.numberId)}::bigint[],
        ${sorted.map((p) => p.party)}::text[], ${sorted.map((p) => p.contactId)}::bigint[],
        ${sorted.map((p) => p.archived)}::boolean[]) with ordinality p(number_id, party, contact_id,
        archived, n) order by p.n
    on conflict (company_id, party, number_id) where party is not null do update
      set contact_id = coalesce(conversation.contact_id, excluded.contact_id), deleted_at = null
      where conversation.deleted_at is not null
        or (conversation.contact_id is null and excluded.contact_id is not null)
    returning number_id, party, id`.execute(tx);
  const keyed = (found: typeof rows) =>
    found.map((c) => [pairKey({ numberId: c.number_id, party: c.party }), c.id] as const);
  const ids = new Map(keyed(rows));
  const existing = sorted.filter((p) => !ids.has(pairKey(p)));
  if (!existing.length) return ids;
  const existingRows = await sql<{
    number_id: number;
    party: string;
    id: number;
  }>`${prepared}select p.number_id, p.party, c.id
    from ${conversationsByPair(companyId, existing)}`.execute(tx);
  return new Map([...ids, ...keyed(existingRows.rows)]);
}
const compareKeys = (a: ConversationKey, b: ConversationKey) =>
  a.numberId - b.numberId || (a.party < b.party ? -1 : 1);

interface NewText extends ConversationKey {
  conversationId: number;
  contactId: number | null;
  details: string;
  text: string;
  eventId: string;
  /** From a blocked party: stored as read, and the conversation stays where it is. */
  quiet: boolean;
}
export interface UpdatedConversation extends ConversationRow {
  /** Its new items in order of arrival: the position of the text (from 1) and the item's ID. */
  items: [number, number][];
  /** It has a scheduled text that a reply cancels. */
  cancels: boolean;
}
/**
 * Stores inbound texts, and with them their conversations' latest item, unread count and place in
 * the inbox; creates missing conversations. Texts stored before are left out of the result.
 * Conversations are found by their key alone, in the order everyone uses, because without
 * statistics a join may read all of a company's. Throws if someone else created one of them since
 * `loadInboundContext`, so that it has another ID.
 */
export const insertTexts = async (
  tx: Tx,
  companyId: number,
  carrier: string,
  texts: readonly NewText[],
  at: Date,
): Promise<UpdatedConversation[]> => {
  const pairs = [...new Map(texts.map((t) => [t.conversationId, t])).values()].sort(compareKeys);
  return (
    await sql<UpdatedConversation>`${prepared}with arrived as materialized (
      select * from unnest(${texts.map((t) => t.conversationId)}::bigint[],
          ${texts.map((t) => t.numberId)}::bigint[], ${texts.map((t) => t.details)}::text[],
          ${texts.map((t) => t.text)}::text[], ${texts.map((t) => t.eventId)}::text[],
          ${texts.map((t) => t.quiet)}::boolean[])
        with ordinality t(conversation_id, number_id, details, text, event_id, quiet, n)
          order by n),
    stored as (insert into conversation_item (company_id, conversation_id,
          number_id, kind, is_inbound, created_at, read_at, details, text, delivery_state, carrier,
          provider_event_id)
      select ${companyId}, t.conversation_id, t.number_id, 'message', true,
        ${at}, case when t.quiet then ${at}::timestamptz end, t.details::jsonb, t.text, 'received',
        ${carrier}, t.event_id from arrived t order by t.n
      on conflict do nothing returning id, provider_event_id),
    heard as materialized (select a.conversation_id, count(*) texts, max(a.n) last,
        json_agg(json_build_array(a.n, s.id) order by a.n) items
      from stored s join arrived a on a.event_id = s.provider_event_id group by a.conversation_id),
    newest as materialized (select h.conversation_id, h.texts, h.items, s.id item_id,
        a.details::jsonb || '{"deliveryState": "received"}' details from heard h
        join arrived a on a.n = h.last join stored s on s.provider_event_id = a.event_id),
    changed as (insert into conversation as c (company_id, id, number_id, party,
          contact_id, created_at, last_activity_at, archived_at, last_inbound_at, unread_messages,
          latest_item_id, latest_kind, latest_inbound, latest_at, latest_details)
      select ${companyId}, p.id, p.number_id, p.party, p.contact_id, ${at}, ${at}, case when p.quiet
          then ${at}::timestamptz end, ${at}, case when p.quiet then 0 else h.texts end,
        case when not p.quiet then h.item_id end, case when not p.quiet then 'message' end,
          case when not p.quiet then true end, case when not p.quiet then ${at}::timestamptz end,
          case when not p.quiet then h.details end
      from unnest(${pairs.map((p) => p.conversationId)}::bigint[],
          ${pairs.map((p) => p.numberId)}::bigint[], ${pairs.map((p) => p.party)}::text[],
          ${pairs.map((p) => p.contactId)}::bigint[], ${pairs.map((p) => p.quiet)}::boolean[])
        with ordinality p(id, number_id, party, contact_id, quiet, n)
          join newest h on h.conversation_id = p.id order by p.n
      on conflict (company_id, party, number_id) where party is not null do update
        set contact_id = coalesce(c.contact_id, excluded.contact_id),
        deleted_at = null, last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at),
        unread_messages = c.unread_messages + excluded.unread_messages,
        last_activity_at = case when excluded.archived_at is null then greatest(c.last_activity_at,
              excluded.last_activity_at) else c.last_activity_at end,
          archived_at = case when excluded.archived_at is not null then c.archived_at end,
        latest_item_id = coalesce(excluded.latest_item_id, c.latest_item_id),
          latest_kind = coalesce(excluded.latest_kind, c.latest_kind),
          latest_inbound = coalesce(excluded.latest_inbound, c.latest_inbound),
        latest_at = coalesce(excluded.latest_at, c.latest_at),
          latest_details = coalesce(excluded.latest_details, c.latest_details)
      returning ${conversationColumns('c')})
    select c.*, h.items, exists (select
        from conversation_item i where i.company_id = ${companyId} and i.conversation_id = c.id
      and i.kind = 'scheduledmessage' and i.details ->> 'state' = 'pending'
        and (i.details ->> 'cancelIfReply')::boolean and i.deleted_at is null) cancels
    from changed c join newest h on h.conversation_id = c.id`.execute(tx)
  ).rows;
};
