import { sql } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { summaryOf, type ConversationRow, type ItemRow } from './store.ts';
import { conversationColumns } from './store-inbound.ts';
import type { PresentableItem } from './present.ts';

/** Those of these items that are texts of ours with this carrier, their conversations locked in one order for everybody. */
export async function lockTextsForUpdate(
  tx: Tx,
  companyId: number,
  carrier: string,
  itemIds: readonly number[],
): Promise<{ id: number; conversation_id: number }[]> {
  const { rows } = await sql<{
    id: number;
    conversation_id: number;
  }>`${prepared}select i.id, i.conversation_id from conversation_item i
    where i.company_id = ${companyId} and i.id = any(${[...itemIds]}::bigint[]) and i.kind = 'message' and not i.is_inbound and i.carrier = ${carrier} and i.deleted_at is null`.execute(
    tx,
  );
  if (rows.length)
    await sql`${prepared}select c.id from conversation c where c.company_id = ${companyId} and c.id = any(${[...new Set(rows.map((r) => r.conversation_id))]}::bigint[]) order by c.number_id, c.party for update`.execute(
      tx,
    );
  return rows;
}

export interface DeliveryChange {
  itemId: number;
  state: string;
  /** The states that it may follow. */ allowedFrom: readonly string[];
  code: string | null;
  text: string | null;
  providerId: string;
}
/** Write what became of texts, forward only; the rows that changed, with whether their state did, or only the carrier's id was new. */
export const applyDeliveryChanges = async (
  tx: Tx,
  companyId: number,
  changes: readonly DeliveryChange[],
): Promise<(PresentableItem & { moved: boolean })[]> =>
  (
    await sql<PresentableItem & { moved: boolean }>`${prepared}update conversation_item i set
      delivery_state = case when f.fits then m.state else i.delivery_state end, provider_event_id = coalesce(i.provider_event_id, m.provider_id),
      details = case when f.fits then i.details || jsonb_build_object('errorCode', m.code, 'errorText', m.words) else i.details end
    from unnest(${changes.map((s) => s.itemId)}::bigint[], ${changes.map((s) => s.state)}::text[], ${changes.map((s) => s.allowedFrom.join(' '))}::text[], ${changes.map((s) => s.code)}::text[], ${changes.map((s) => s.text)}::text[], ${changes.map((s) => s.providerId)}::text[])
      m(id, state, follows, code, words, provider_id) cross join lateral (select coalesce(k.delivery_state, 'unknown') = any(string_to_array(m.follows, ' ')) fits from conversation_item k where k.company_id = ${companyId} and k.id = m.id limit 1) f
    where i.company_id = ${companyId} and i.id = any(${changes.map((s) => s.itemId)}::bigint[]) and i.id = m.id and i.deleted_at is null and (f.fits or i.provider_event_id is null)
    returning i.id, i.conversation_id, i.number_id, i.kind, i.is_inbound, i.created_at, i.read_at, i.actor_id, i.actor_name, i.details, i.delivery_state, f.fits moved`.execute(
      tx,
    )
  ).rows;

/** What the list shows of these items changes with them, where they are their conversations' latest. The conversations are held. */
export const refreshLatestItems = async (
  tx: Tx,
  companyId: number,
  items: readonly Pick<ItemRow, 'id' | 'conversation_id' | 'details' | 'delivery_state'>[],
): Promise<ConversationRow[]> =>
  (
    await sql<ConversationRow>`${prepared}update conversation c set latest_details = coalesce((
      select m.details::jsonb from unnest(${items.map((i) => i.id)}::bigint[], ${items.map((i) => JSON.stringify(summaryOf(i)))}::text[]) m(id, details) where m.id = c.latest_item_id), c.latest_details)
    where c.company_id = ${companyId} and c.id = any(${[...new Set(items.map((i) => i.conversation_id))]}::bigint[]) returning ${conversationColumns('c')}`.execute(
      tx,
    )
  ).rows;
