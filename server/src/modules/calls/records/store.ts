/** Call records. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { companySettingsOf } from '#contract/settings/rules';
import { companyRow } from '../../companies/index.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

/** The record of a call. */
export type CallRow = Selectable<Tables['call']>;
/** A call with the names of its number and contact. */
export interface CallWithNames extends CallRow {
  number: string;
  number_label: string;
  contact_name: string | null;
}

/** A call of one of these numbers (null = all numbers); undefined: none such. */
export async function visibleCall(
  tx: Tx,
  companyId: number,
  id: number,
  numbers: readonly number[] | null,
): Promise<CallWithNames | undefined> {
  const { rows } = await sql<CallWithNames>`
    select c.*, n.number, n.label number_label, ct.name contact_name
      from call c join number n on n.company_id = c.company_id and n.id = c.number_id
      left join contact ct on ct.company_id = c.company_id and ct.id = c.contact_id
    where c.company_id = ${companyId} and c.id = ${id}
      ${numbers ? sql`and c.number_id = any(${[...numbers]}::bigint[])` : sql``}`.execute(tx);
  return rows[0];
}

/** The call record, locked until the transaction ends. Undefined: none of this ID. */
export const lockCall = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('call')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Whether a call of this party is marked as spam. */
export const wasMarkedAsSpam = async (tx: Tx, companyId: number, party: string): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('call')
      .select('id')
      .where('company_id', '=', companyId)
      .where('party', '=', party)
      .where('spam', '=', true)
      .limit(1)
      .executeTakeFirst(),
  );

/** The carrier of a call; undefined: no such call. */
export const carrierOfCall = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('call')
      .select('carrier')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .executeTakeFirst()
  )?.carrier;

/** Stores a new call record. */
export const insertCall = (tx: Tx, row: Insertable<Tables['call']>) =>
  tx.insertInto('call').values(row).execute();
/** Changes columns of a call record; no record, no change. */
export const patchCall = (
  tx: Tx,
  companyId: number,
  id: number,
  patch: Updateable<Tables['call']>,
) =>
  tx
    .updateTable('call')
    .set(patch)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** The call record, locked. Throws when it is gone: for callers that know it exists. */
export async function lockExistingCall(tx: Tx, companyId: number, id: number): Promise<CallRow> {
  const row = await lockCall(tx, companyId, id);
  if (row === undefined) throw new Error(`Call ${id} is gone`);
  return row;
}

/** The id of the next call. Throws only if the database's `next_id()` is broken. */
export async function nextId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select next_id() id`.execute(tx);
  if (rows[0] === undefined) throw new Error('next_id() returned no row');
  return rows[0].id;
}

/**
 * Whether the company had a call with this party within its `first_contact_window_days`: after
 * that, a caller is new again.
 */
export async function hasCalledBefore(
  tx: Tx,
  companyId: number,
  party: string,
  now: Date,
): Promise<boolean> {
  const settings = companySettingsOf((await companyRow(tx, companyId))?.settings);
  const since = new Date(now.getTime() - settings.first_contact_window_days * 86_400_000);
  return Boolean(
    await tx
      .selectFrom('call')
      .select('id')
      .where('company_id', '=', companyId)
      .where('party', '=', party)
      .where('started_at', '>', since)
      .limit(1)
      .executeTakeFirst(),
  );
}

/** The next newer and older call by start time, of these numbers; null = none. */
export async function adjacentCallIds(
  tx: Tx,
  companyId: number,
  call: { id: number; started_at: Date },
  numbers: readonly number[] | null,
): Promise<{ newer: number | null; older: number | null }> {
  const seen = numbers ? sql`and number_id = any(${[...numbers]}::bigint[])` : sql``;
  const { rows } = await sql<{ newer: number | null; older: number | null }>`select
    (select id from call where company_id = ${companyId}
        and (started_at, id) > (${call.started_at}, ${call.id}) ${seen}
        order by started_at, id limit 1) newer,
    (select id from call where company_id = ${companyId}
        and (started_at, id) < (${call.started_at}, ${call.id}) ${seen}
        order by started_at desc, id desc limit 1) older`.execute(tx);
  return rows[0] ?? { newer: null, older: null };
}

/** A number as shown with a call. Undefined: none of this ID. */
export const numberBrief = (tx: Tx, companyId: number, numberId: number) =>
  tx
    .selectFrom('number')
    .select(['id', 'number', 'label'])
    .where('company_id', '=', companyId)
    .where('id', '=', numberId)
    .executeTakeFirst();

/** Links a call to its conversation. */
export const setConversation = (
  tx: Tx,
  companyId: number,
  callId: number,
  conversationId: number,
) =>
  tx
    .updateTable('call')
    .set({ conversation_id: conversationId })
    .where('company_id', '=', companyId)
    .where('id', '=', callId)
    .execute();
/** Assigns the party's calls without a contact to this contact. */
export const assignCallsToContact = (tx: Tx, companyId: number, party: string, contactId: number) =>
  tx
    .updateTable('call')
    .set({ contact_id: contactId })
    .where('company_id', '=', companyId)
    .where('party', '=', party)
    .where('contact_id', 'is', null)
    .execute();
/** The contact's id and name; null = none. */
export const contactWithName = async (
  tx: Tx,
  companyId: number,
  id: number | null,
): Promise<{ id: number; name: string } | null> =>
  id === null
    ? null
    : ((await tx
        .selectFrom('contact')
        .select(['id', 'name'])
        .where('company_id', '=', companyId)
        .where('id', '=', id)
        .executeTakeFirst()) ?? null);
