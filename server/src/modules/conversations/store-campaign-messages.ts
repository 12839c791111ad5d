import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { ConversationRow, ItemRow } from './store.ts';

interface CampaignMessageRow {
  conversationId: number;
  numberId: number;
  at: Date;
  details: string;
  text: string;
  state: string;
  source: string;
}
/** Stores campaign texts as items; those stored before are returned as they are. */
export const insertCampaignMessages = async (
  tx: Tx,
  companyId: number,
  carrier: string,
  actor: { id: number | null; name: string | null },
  texts: readonly CampaignMessageRow[],
): Promise<ItemRow[]> => {
  const sources = texts.map((t) => t.source);
  const { rows } =
    await sql<ItemRow>`insert into conversation_item (company_id, conversation_id, number_id, kind,
        is_inbound, created_at, read_at, details, text, delivery_state, carrier, source,
        actor_id, actor_name)
    select ${companyId}, t.conversation_id, t.number_id, 'message', false, t.at, t.at,
      t.details::jsonb, t.text, t.state, ${carrier}, t.source, ${actor.id}, ${actor.name}
    from unnest(${texts.map((t) => t.conversationId)}::bigint[],
        ${texts.map((t) => t.numberId)}::bigint[], ${texts.map((t) => t.at)}::timestamptz[],
        ${texts.map((t) => t.details)}::text[], ${texts.map((t) => t.text)}::text[],
        ${texts.map((t) => t.state)}::text[], ${sources}::text[])
      with ordinality t(conversation_id, number_id, at, details, text, state, source, n)
        order by t.n on conflict do nothing returning *`.execute(tx);
  if (rows.length === texts.length) return rows;
  return (
    await sql<ItemRow>`select * from conversation_item
      where company_id = ${companyId} and source = any(${sources}::text[])`.execute(tx)
  ).rows;
};

/**
 * Makes them their conversations' latest item, where nothing is newer. `onlyArchived`: only in
 * archived ones.
 */
export const bumpConversations = (
  tx: Tx,
  companyId: number,
  items: readonly { conversationId: number; itemId: number; at: Date; details: string }[],
  onlyArchived: boolean,
) =>
  sql`update conversation c set last_activity_at = greatest(c.last_activity_at, h.at),
    latest_item_id = h.item_id, latest_kind = 'message', latest_inbound = false, latest_at = h.at,
    latest_details = h.details::jsonb
    from unnest(${items.map((i) => i.conversationId)}::bigint[],
        ${items.map((i) => i.itemId)}::bigint[], ${items.map((i) => i.at)}::timestamptz[],
        ${items.map((i) => i.details)}::text[]) h(id, item_id, at, details)
    where c.company_id = ${companyId}
      and c.id = h.id and (c.latest_at is null or c.latest_at <= h.at)
      ${onlyArchived ? sql`and c.archived_at is not null` : sql``}`.execute(tx);

export interface DeliveryStateChange {
  itemId: number;
  state: string;
  code: string | null;
  text: string | null;
}
const stateRankSql = (column: ReturnType<typeof sql>) =>
  sql`case ${column} when 'queued' then 0
      when 'sending' then 1 when 'unknown' then 1 when 'sent' then 2 else 3 end`;
/**
 * Stores delivery states, forward only, on the items and where they are their conversations'
 * latest. Returns how many changed.
 */
export const updateDeliveryStates = async (
  tx: Tx,
  companyId: number,
  changes: readonly DeliveryStateChange[],
): Promise<number> => {
  const { rows } = await sql<
    Pick<ConversationRow, 'id'>
  >`with held as materialized (select c.company_id, c.id from conversation c
      join conversation_item i on i.company_id = c.company_id and i.conversation_id = c.id
        where i.company_id = ${companyId} and i.id = any(${changes.map((m) => m.itemId)}::bigint[])
          order by c.number_id, c.party for update of c),
    moved as (update conversation_item i set delivery_state = m.state, details = i.details
        || jsonb_build_object('errorCode', m.code, 'errorText', m.words)
      from unnest(${changes.map((m) => m.itemId)}::bigint[], ${changes.map((m) => m.state)}::text[],
          ${changes.map((m) => m.code)}::text[], ${changes.map((m) => m.text)}::text[]) m(id,
          state, code, words)
      where i.company_id = ${companyId} and i.id = m.id and i.deleted_at is null and exists (select
          from held) and ${stateRankSql(sql`m.state`)} > ${stateRankSql(sql`i.delivery_state`)}
        returning i.id, i.conversation_id, i.details, i.delivery_state)
    update conversation c
      set latest_details = case when c.latest_item_id = moved.id then moved.details
        || jsonb_build_object('deliveryState', moved.delivery_state) else c.latest_details end
    from moved where c.company_id = ${companyId}
      and c.id = moved.conversation_id returning c.id`.execute(tx);
  return rows.length;
};
