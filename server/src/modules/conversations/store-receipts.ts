import { sql } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { summaryOf, type ConversationRow, type ItemRow } from './store.ts';
import { conversationColumns } from './store-inbound.ts';
import type { PresentableItem } from './present.ts';

/**
 * Those of these items that are texts of ours, through this carrier (null: any), after locking
 * their conversations in the order everyone uses.
 */
export async function lockTextsForUpdate(
  tx: Tx,
  companyId: number,
  carrier: string | null,
  itemIds: readonly number[],
): Promise<{ id: number; conversation_id: number }[]> {
  const { rows } = await sql<{ id: number; conversation_id: number }>`${prepared}
    select i.id, i.conversation_id from conversation_item i
    where i.company_id = ${companyId} and i.id = any(${[...itemIds]}::bigint[])
      and i.kind = 'message' and not i.is_inbound and i.deleted_at is null
      and (${carrier}::text is null or i.carrier = ${carrier})`.execute(tx);
  const conversations = [...new Set(rows.map((row) => row.conversation_id))];
  if (rows.length)
    await sql`${prepared}select c.id from conversation c
      where c.company_id = ${companyId} and c.id = any(${conversations}::bigint[])
      order by c.number_id, c.party for update`.execute(tx);
  return rows;
}

/** The recipients of these texts of ours that were sent through this carrier. */
export const recipientsOfTexts = (
  tx: Tx,
  companyId: number,
  carrier: string,
  itemIds: readonly number[],
): Promise<{ id: number; number_id: number; party: string }[]> =>
  tx
    .selectFrom('conversation_item as i')
    .innerJoin('conversation as c', (join) =>
      join.onRef('c.company_id', '=', 'i.company_id').onRef('c.id', '=', 'i.conversation_id'),
    )
    .select(['i.id', 'i.number_id', 'c.party'])
    .where('i.company_id', '=', companyId)
    .where('i.id', 'in', [...itemIds])
    .where('i.kind', '=', 'message')
    .where('i.is_inbound', '=', false)
    .where('i.carrier', '=', carrier)
    .where('i.deleted_at', 'is', null)
    .execute();

interface DeliveryChange {
  itemId: number;
  state: string;
  /** The states that it may follow. */
  allowedFrom: readonly string[];
  code: string | null;
  /** The sentence for people. */
  text: string | null;
  /** The carrier's ID; null: not known. */
  providerId: string | null;
}
/**
 * Stores delivery statuses, forward only. Returns the rows that were written; `moved`: its state
 * changed, otherwise only the carrier's ID was new.
 */
export async function applyDeliveryChanges(
  tx: Tx,
  companyId: number,
  changes: readonly DeliveryChange[],
): Promise<(PresentableItem & { moved: boolean })[]> {
  const ids = changes.map((change) => change.itemId);
  const { rows } = await sql<PresentableItem & { moved: boolean }>`${prepared}
    update conversation_item i set
      delivery_state = case when f.fits then m.state else i.delivery_state end,
      provider_event_id = coalesce(i.provider_event_id, m.provider_id),
      details = case when f.fits
        then i.details || jsonb_build_object('errorCode', m.code, 'errorText', m.words)
        else i.details end
    from unnest(${ids}::bigint[], ${changes.map((change) => change.state)}::text[],
        ${changes.map((change) => change.allowedFrom.join(' '))}::text[],
        ${changes.map((change) => change.code)}::text[],
        ${changes.map((change) => change.text)}::text[],
        ${changes.map((change) => change.providerId)}::text[])
      m(id, state, follows, code, words, provider_id)
    cross join lateral (
      select coalesce(k.delivery_state, 'unknown') = any(string_to_array(m.follows, ' ')) fits
      from conversation_item k where k.company_id = ${companyId} and k.id = m.id limit 1) f
    where i.company_id = ${companyId} and i.id = any(${ids}::bigint[]) and i.id = m.id
      and i.deleted_at is null and (f.fits or i.provider_event_id is null)
    returning i.id, i.conversation_id, i.number_id, i.kind, i.is_inbound, i.created_at, i.read_at,
      i.actor_id, i.actor_name, i.details, i.delivery_state, f.fits moved`.execute(tx);
  return rows;
}

/**
 * Updates what lists show of these items, where they are their conversations' latest. The
 * conversations are locked.
 */
export async function refreshLatestItems(
  tx: Tx,
  companyId: number,
  items: readonly Pick<ItemRow, 'id' | 'conversation_id' | 'details' | 'delivery_state'>[],
): Promise<ConversationRow[]> {
  const conversations = [...new Set(items.map((item) => item.conversation_id))];
  const { rows } = await sql<ConversationRow>`${prepared}
    update conversation c set latest_details = coalesce((
      select m.details::jsonb
      from unnest(${items.map((item) => item.id)}::bigint[],
        ${items.map((item) => JSON.stringify(summaryOf(item)))}::text[]) m(id, details)
      where m.id = c.latest_item_id), c.latest_details)
    where c.company_id = ${companyId} and c.id = any(${conversations}::bigint[])
    returning ${conversationColumns('c')}`.execute(tx);
  return rows;
}
