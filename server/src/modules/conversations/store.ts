import { sql, type Selectable } from 'kysely';
import { oneRow, type Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type ConversationRow = Selectable<Tables['conversation']>;
export type ItemRow = Selectable<Tables['conversation_item']>;

/** The conversations a user may see: those of these numbers, or all (null). */
export type VisibleNumbers = readonly number[] | null;

/**
 * A conversation that is not deleted, of the numbers the user may see (null: all). Undefined: none.
 */
export const conversationById = (
  tx: Tx,
  companyId: number,
  id: number,
  visibleNumbers: VisibleNumbers,
  lock = false,
): Promise<ConversationRow | undefined> => {
  let q = tx
    .selectFrom('conversation')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  if (visibleNumbers)
    q = q.where('number_id', 'in', visibleNumbers.length ? [...visibleNumbers] : [0]);
  return (lock ? q.forUpdate() : q).executeTakeFirst();
};
/** The conversations of these IDs, without deleted ones. */
export const conversationsByIds = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<ConversationRow[]> =>
  tx
    .selectFrom('conversation')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
/** Conversations of the numbers the user may see (null: all), locked until the transaction ends. */
export const lockConversationsByIds = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  visibleNumbers: VisibleNumbers,
): Promise<ConversationRow[]> => {
  if (!ids.length) return Promise.resolve([]);
  let q = tx
    .selectFrom('conversation')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null);
  if (visibleNumbers)
    q = q.where('number_id', 'in', visibleNumbers.length ? [...visibleNumbers] : [0]);
  return q.orderBy('id').forUpdate().execute();
};
/** The conversation of a number with a party (E.164), deleted or not. Undefined: none. */
export const conversationByParty = (
  tx: Tx,
  companyId: number,
  numberId: number,
  party: string,
): Promise<ConversationRow | undefined> =>
  tx
    .selectFrom('conversation')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .where('party', '=', party)
    .executeTakeFirst();
/** Conversations with a party, of one number or of all (null); at most 200. */
export const conversationsOfParty = (
  tx: Tx,
  companyId: number,
  party: string,
  numberId: number | null,
): Promise<ConversationRow[]> => {
  let q = tx
    .selectFrom('conversation')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('party', '=', party)
    .where('deleted_at', 'is', null);
  if (numberId !== null) q = q.where('number_id', '=', numberId);
  return q.limit(200).execute();
};

/**
 * The conversation between a number and a party, created if there is none, and locked until the
 * transaction ends, so that items of one conversation are stored one after another. A deleted one
 * is reused, empty.
 */
export const openConversation = async (
  tx: Tx,
  c: {
    company_id: number;
    number_id: number;
    party: string;
    contact_id: number | null;
    at: Date;
    archived: boolean;
  },
): Promise<ConversationRow> =>
  await oneRow(
    tx,
    sql<ConversationRow>`insert into conversation (company_id, number_id, party, contact_id,
        created_at, last_activity_at, archived_at)
    values (${c.company_id}, ${c.number_id}, ${c.party}, ${c.contact_id}, ${c.at}, ${c.at},
        ${c.archived ? c.at : null})
    on conflict (company_id, party, number_id) where party is not null do update
      set contact_id = coalesce(conversation.contact_id, excluded.contact_id),
      deleted_at = null returning *`,
  );

/**
 * A new item becomes the conversation's latest, counts as unread, and returns the conversation to
 * the inbox.
 */
export const bumpConversation = async (
  tx: Tx,
  companyId: number,
  id: number,
  change: {
    itemId: number;
    kind: string;
    inbound: boolean;
    at: Date;
    details: unknown;
    unread: boolean;
    restore: boolean;
    heard: boolean;
    latest: boolean;
  },
): Promise<ConversationRow> => {
  // What was written in a form waits to be read as a text does.
  const counted = change.kind === 'form' ? 'message' : change.kind;
  const increment = (kind: string) => (change.unread && counted === kind ? 1 : 0);
  const newest = sql`(${change.latest} and (latest_at is null or latest_at <= ${change.at}))`;
  return oneRow(
    tx,
    sql<ConversationRow>`update conversation set
      last_activity_at = case when ${change.latest} then greatest(last_activity_at, ${change.at})
          else last_activity_at end,
      archived_at = case when ${change.restore} then null else archived_at end,
      last_inbound_at = case when ${change.heard} then greatest(last_inbound_at, ${change.at})
          else last_inbound_at end,
      unread_messages = unread_messages + ${increment('message')}, unread_calls = unread_calls +
        ${increment('call')}, unread_voicemails = unread_voicemails + ${increment('voicemail')},
        unread_faxes = unread_faxes + ${increment('fax')},
      latest_item_id = case when ${newest} then ${change.itemId} else latest_item_id end,
        latest_kind = case when ${newest} then ${change.kind} else latest_kind end,
      latest_inbound = case when ${newest} then ${change.inbound} else latest_inbound end,
        latest_details = case
          when ${newest} then ${JSON.stringify(change.details)}::jsonb else latest_details end,
      latest_at = case when ${newest} then ${change.at} else latest_at end
    where company_id = ${companyId} and id = ${id} returning *`,
  );
};

/**
 * Recomputes the unread count and the latest item from the items: after reading, unreading and
 * deleting. `was`: unread messages before.
 */
export const recomputeRows = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<(ConversationRow & { was: number })[]> =>
  (
    await sql<ConversationRow & { was: number }>`update conversation c set
      unread_messages = n.messages, unread_calls = n.calls, unread_voicemails = n.voicemails,
        unread_faxes = n.faxes,
      latest_item_id = l.id, latest_kind = l.kind, latest_inbound = l.is_inbound,
        latest_at = l.created_at, latest_details = l.details
    from conversation k
    cross join lateral (select count(*) filter (where i.kind in ('message', 'form')) messages,
        count(*) filter (where i.kind = 'call') calls,
        count(*) filter (where i.kind = 'voicemail') voicemails,
        count(*) filter (where i.kind = 'fax') faxes
      from conversation_item i where i.company_id = k.company_id and i.conversation_id = k.id
        and i.read_at is null and i.is_inbound and i.deleted_at is null) n
    left join lateral (select i.id, i.kind, i.is_inbound, i.created_at, i.details
        || case when i.delivery_state is null then '{}'::jsonb
          else jsonb_build_object('deliveryState', i.delivery_state) end details
      from conversation_item i where i.company_id = k.company_id and i.conversation_id = k.id
        and i.deleted_at is null and i.kind in ('message', 'call', 'voicemail', 'fax', 'form')
        order by i.created_at desc, i.id desc limit 1) l on true
    where k.company_id = ${companyId}
      and k.id = any(${[...ids]}::bigint[]) and c.company_id = k.company_id and c.id = k.id
      returning c.*, k.unread_messages was`.execute(tx)
  ).rows;

/** Archives conversations, or restores them (null). Returns those that changed. */
export const setArchived = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  at: Date | null,
): Promise<ConversationRow[]> =>
  tx
    .updateTable('conversation')
    .set({ archived_at: at })
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .where('archived_at', at ? 'is' : 'is not', null)
    .returningAll()
    .execute();
/** Marks conversations as deleted. */
export const setDeleted = (tx: Tx, companyId: number, ids: readonly number[], at: Date) =>
  tx
    .updateTable('conversation')
    .set({ deleted_at: at, last_inbound_at: null })
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .execute();
/** Lets all conversations with a number show this contact. */
export const linkContact = (tx: Tx, companyId: number, contactId: number, number: string) =>
  tx
    .updateTable('conversation')
    .set({ contact_id: contactId })
    .where('company_id', '=', companyId)
    .where('party', '=', number)
    .where((e) => e.or([e('contact_id', 'is', null), e('contact_id', '<>', contactId)]))
    .execute();
/** The same for many; of several contacts for one number the last wins. */
export const linkContacts = (
  tx: Tx,
  companyId: number,
  rows: readonly { contactId: number; number: string }[],
) =>
  sql`update conversation c set contact_id = r.contact_id
    from (select distinct on (number) * from unnest(${rows.map((r) => r.number)}::text[],
        ${rows.map((r) => r.contactId)}::bigint[]) with ordinality x(number, contact_id, at)
      order by number, at desc) r
    where c.company_id = ${companyId}
      and c.party = r.number and c.contact_id is distinct from r.contact_id`.execute(tx);
/** Updates the list's copy of an item that is the latest. */
export const refreshLatest = async (tx: Tx, item: ItemRow): Promise<ConversationRow> => {
  const details = JSON.stringify(summaryOf(item));
  return await oneRow(
    tx,
    sql<ConversationRow>`update conversation set latest_details = case
        when latest_item_id = ${item.id} then ${details}::jsonb else latest_details end
    where company_id = ${item.company_id} and id = ${item.conversation_id} returning *`,
  );
};
/** An item's details as the list stores them. */
export const summaryOf = (
  item: Pick<ItemRow, 'details' | 'delivery_state'>,
): Record<string, unknown> => ({
  ...(item.details as object),
  ...(item.delivery_state ? { deliveryState: item.delivery_state } : {}),
});
