import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { ItemRow, VisibleNumbers } from './store.ts';

interface NewItem {
  company_id: number;
  conversation_id: number;
  number_id: number;
  kind: string;
  is_inbound: boolean;
  created_at: Date;
  read_at: Date | null;
  actor_id: number | null;
  actor_name: string | null;
  details: string;
  text: string;
  delivery_state: string | null;
  queued_at: Date | null;
  carrier: string | null;
  provider_event_id: string | null;
  source: string | null;
}
/** `undefined`: it existed already (the same carrier event, or the same object of ours). */
export const insertItem = (tx: Tx, item: NewItem): Promise<ItemRow | undefined> =>
  tx
    .insertInto('conversation_item')
    .values(item)
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst();

/** Items without sender and files; those that existed already (the same object) are left out. */
export const insertItems = async (
  tx: Tx,
  items: readonly Pick<
    NewItem,
    | 'company_id'
    | 'conversation_id'
    | 'number_id'
    | 'kind'
    | 'is_inbound'
    | 'created_at'
    | 'read_at'
    | 'details'
    | 'source'
  >[],
): Promise<ItemRow[]> =>
  items.length === 0
    ? []
    : tx
        .insertInto('conversation_item')
        .values([...items])
        .onConflict((c) => c.doNothing())
        .returningAll()
        .execute();

/** An item that is not deleted. Undefined: none. */
export const itemById = (
  tx: Tx,
  companyId: number,
  id: number,
  lock = false,
): Promise<ItemRow | undefined> => {
  const q = tx
    .selectFrom('conversation_item')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null);
  return (lock ? q.forUpdate() : q).executeTakeFirst();
};
/** The items of these IDs, without deleted ones. */
export const itemsByIds = (tx: Tx, companyId: number, ids: readonly number[]): Promise<ItemRow[]> =>
  tx
    .selectFrom('conversation_item')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute();
/** When something came in in this conversation before a moment. Null: nothing did. */
export const inboundBefore = async (
  tx: Tx,
  companyId: number,
  conversationId: number,
  before: Date,
): Promise<Date | null> =>
  (
    await tx
      .selectFrom('conversation_item')
      .select('created_at')
      .where('company_id', '=', companyId)
      .where('conversation_id', '=', conversationId)
      .where('created_at', '<', before)
      .where('is_inbound', '=', true)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst()
  )?.created_at ?? null;
/**
 * The item that shows this source (a call, fax or note), deleted ones included. Undefined: none.
 */
export const itemBySource = (
  tx: Tx,
  companyId: number,
  source: string,
): Promise<ItemRow | undefined> =>
  tx
    .selectFrom('conversation_item')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('source', '=', source)
    .executeTakeFirst();
/**
 * The company of the text with a carrier's own ID. Read with the system role, because no company is
 * known yet. Undefined: none.
 */
export const outboundItemByProviderId = async (db: Tx, carrier: string, providerId: string) =>
  db
    .selectFrom('conversation_item')
    .select(['company_id', 'id'])
    .where('provider_event_id', '=', providerId)
    .where('carrier', '=', carrier)
    .where('is_inbound', '=', false)
    .executeTakeFirst();

/** Changes columns of an item. `details`: JSON. */
export const updateItem = (
  tx: Tx,
  companyId: number,
  id: number,
  change: Partial<{
    details: string;
    text: string;
    delivery_state: string;
    tries: number;
    provider_event_id: string;
    carrier: string;
    read_at: Date | null;
    created_at: Date;
    queued_at: Date;
    send_slot_at: Date;
  }>,
): Promise<ItemRow> =>
  tx
    .updateTable('conversation_item')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * The oldest text of a conversation that the carrier doesn't have yet, locked. Undefined: nothing
 * is waiting.
 */
export const lockNextToSend = (
  tx: Tx,
  companyId: number,
  conversationId: number,
): Promise<ItemRow | undefined> =>
  tx
    .selectFrom('conversation_item')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('conversation_id', '=', conversationId)
    .where('delivery_state', 'in', ['queued', 'sending'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

/** Conversations with a text waiting to be submitted to this carrier. */
export const conversationsWithQueuedTexts = async (
  tx: Tx,
  companyId: number,
  carrier: string,
): Promise<number[]> =>
  (
    await tx
      .selectFrom('conversation_item')
      .select('conversation_id')
      .distinct()
      .where('company_id', '=', companyId)
      .where('delivery_state', 'in', ['queued', 'sending'])
      .where('deleted_at', 'is', null)
      .where('carrier', '=', carrier)
      .execute()
  ).map((item) => item.conversation_id);

/**
 * Marks unread items read: of conversations, or everything visible. Returns the affected
 * conversations.
 */
export const markRead = async (
  tx: Tx,
  companyId: number,
  filter: { conversationIds?: readonly number[]; numbers?: VisibleNumbers; kind?: string | null },
  at: Date,
): Promise<{ items: number; conversations: number[] }> => {
  const { rows } = await sql<{
    conversation_id: number;
  }>`update conversation_item set read_at = ${at}
    where company_id = ${companyId} and read_at is null and is_inbound and deleted_at is null
    ${
      filter.conversationIds
        ? sql`and conversation_id = any(${[...filter.conversationIds]}::bigint[])`
        : sql`and conversation_id in (
        select id from conversation where company_id = ${companyId} and unread > 0
        ${filter.numbers ? sql`and number_id = any(${[...filter.numbers]}::bigint[])` : sql``})`
    }
    ${filter.kind ? sql`and kind = ${filter.kind}` : sql``} returning conversation_id`.execute(tx);
  return { items: rows.length, conversations: [...new Set(rows.map((r) => r.conversation_id))] };
};
/** Makes each conversation's newest inbound item unread. */
export const markLatestUnread = async (
  tx: Tx,
  companyId: number,
  conversationIds: readonly number[],
): Promise<number[]> =>
  (
    await sql<{ conversation_id: number }>`update conversation_item i set read_at = null from (
      select distinct on (conversation_id) id from conversation_item
        where company_id = ${companyId} and conversation_id = any(${[...conversationIds]}::bigint[])
        and is_inbound and deleted_at is null and kind in ('message', 'call', 'voicemail', 'fax', 'form')
      order by conversation_id, created_at desc, id desc) l
    where i.company_id = ${companyId} and i.id = l.id and i.read_at is not null
      returning i.conversation_id`.execute(tx)
  ).rows.map((r) => r.conversation_id);

/** Deletes items for everyone; texts still waiting for the carrier are never sent. */
export const deleteItems = async (
  tx: Tx,
  companyId: number,
  filter: { id?: number; conversationIds?: readonly number[]; kinds?: readonly string[] },
  at: Date,
  actor: number | null,
): Promise<{ id: number; kind: string }[]> =>
  (
    await sql<{
      id: number;
      kind: string;
    }>`update conversation_item set deleted_at = ${at}, deleted_by = ${actor},
      delivery_state = case when delivery_state = 'queued' then 'canceled' else delivery_state end,
      details = case when kind = 'scheduledmessage' and details ->> 'state' = 'pending' then details
          || '{"state": "canceled", "because": "deleted"}' else details end
    where company_id = ${companyId}
      and deleted_at is null ${filter.id ? sql`and id = ${filter.id}` : sql``}
      ${filter.conversationIds ? sql`and conversation_id = any(${[...filter.conversationIds]}::bigint[])` : sql``}
      ${filter.kinds ? sql`and kind = any(${[...filter.kinds]}::text[])` : sql``}
        returning id, kind`.execute(tx)
  ).rows;

/**
 * Texts of ours that a carrier accepted, or may have, without a final state, of exactly this many
 * hours ago.
 */
export async function textsWithoutFinalState(
  db: Tx,
  now: Date,
  afterHours: readonly number[],
): Promise<{ companyId: number; itemId: number }[]> {
  const { rows } = await sql<{
    company_id: number;
    id: number;
  }>`select company_id, id from conversation_item
    where kind = 'message'
      and not is_inbound and deleted_at is null and delivery_state in ('sent', 'unknown')
      and queued_at > ${now}::timestamptz - interval '72 hours'
      and floor(extract(epoch from
            ${now}::timestamptz - queued_at) / 3600) = any(${[...afterHours]}::int[])
        order by queued_at limit 500`.execute(db);
  return rows.map((r) => ({ companyId: r.company_id, itemId: r.id }));
}

/** Scheduled texts that a reply cancels. */
export const cancelScheduledOnReply = async (
  tx: Tx,
  companyId: number,
  conversationId: number,
): Promise<ItemRow[]> =>
  (
    await sql<ItemRow>`update conversation_item
      set details = details || '{"state": "canceled", "because": "replied"}'
      where company_id = ${companyId} and conversation_id = ${conversationId}
    and kind = 'scheduledmessage' and details ->> 'state' = 'pending'
      and (details ->> 'cancelIfReply')::boolean and deleted_at is null returning *`.execute(tx)
  ).rows;
/** The voicemail item of a call. Undefined: nobody left one. */
export const voicemailItemOfCall = (
  tx: Tx,
  companyId: number,
  conversationId: number,
  callId: number,
): Promise<ItemRow | undefined> =>
  tx
    .selectFrom('conversation_item')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('conversation_id', '=', conversationId)
    .where('kind', '=', 'voicemail')
    .where(sql`details ->> 'callId'`, '=', String(callId))
    .executeTakeFirst();

/** Serializes subscribers about one object of another module, in whatever order they run. */
export const lockSource = (tx: Tx, companyId: number, source: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${source}, ${companyId}))`.execute(tx);
