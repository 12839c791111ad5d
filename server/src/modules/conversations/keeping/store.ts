/** Texts and calls that are older than their company keeps them. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

// The system role: asks which companies keep less than everything, before one is chosen.

/** Companies that delete texts or calls after some days; 0: they keep them. */
export const companiesThatDelete = async (
  directory: Tx,
): Promise<{ companyId: number; textDays: number; callDays: number }[]> =>
  (
    await sql<{ companyId: number; textDays: number; callDays: number }>`
      select id as "companyId", texts as "textDays", calls as "callDays" from company
        cross join lateral (select
          coalesce((settings ->> 'message_retention_days')::int, 0) as texts,
          coalesce((settings ->> 'call_retention_days')::int, 0) as calls) days
      where texts > 0 or calls > 0 order by id`.execute(directory)
  ).rows;

interface GoneItem {
  id: number;
  conversation_id: number;
  /** Files that only this item has. */
  files: number[];
}

const returned = sql`id, conversation_id, case
  when coalesce(source, '') like 'campaign:%' then '{}'::bigint[]
  else array(select (m ->> 'fileId')::bigint from jsonb_array_elements(case
    when jsonb_typeof(details -> 'media') = 'array' then details -> 'media' else '[]' end) m
    where m ->> 'fileId' is not null) end as files`;

/**
 * Deletes some texts from before this moment, also those that people deleted; none under legal
 * hold.
 */
export async function deleteTextsBefore(
  tx: Tx,
  companyId: number,
  before: Date,
  limit: number,
): Promise<GoneItem[]> {
  const oldest = (isDeleted: boolean) => sql`(select id from conversation_item
    where company_id = ${companyId} and kind = 'message' and created_at < ${before}
      and ${isDeleted ? sql`deleted_at is not null` : sql`deleted_at is null`}
      and not exists (select from legal_hold h join conversation c
        on c.company_id = h.company_id and c.party = h.number
        where h.company_id = ${companyId} and c.id = conversation_id)
    order by created_at, id limit ${limit})`;
  const { rows } = await sql<GoneItem>`delete from conversation_item
    where company_id = ${companyId} and id = any(array(
      select id from (${oldest(false)} union all ${oldest(true)}) old limit ${limit}))
    returning ${returned}`.execute(tx);
  return rows;
}

/** The conversations with these parties. */
export const conversationsOf = async (
  tx: Tx,
  companyId: number,
  parties: readonly string[],
): Promise<number[]> =>
  (
    await sql<{ id: number }>`select id from conversation where company_id = ${companyId}
      and party = any(${[...parties]}::text[]) order by id`.execute(tx)
  ).rows.map((row) => row.id);

/** Deletes some items of these conversations. */
export const deleteItemsOf = async (
  tx: Tx,
  companyId: number,
  conversationIds: readonly number[],
  limit: number,
): Promise<GoneItem[]> =>
  (
    await sql<GoneItem>`delete from conversation_item where company_id = ${companyId}
      and id = any(array(select id from conversation_item where company_id = ${companyId}
        and conversation_id = any(${[...conversationIds]}::bigint[]) limit ${limit}))
      returning ${returned}`.execute(tx)
  ).rows;

/** Deletes the faxes with these parties; returns their files. */
export const deleteFaxesOf = async (
  tx: Tx,
  companyId: number,
  parties: readonly string[],
): Promise<number[]> =>
  (
    await sql<{ id: number }>`with gone as (delete from fax where company_id = ${companyId}
        and party = any(${[...parties]}::text[]) returning *)
      select distinct f as id from gone, unnest(source_file_ids || pdf_file_id || tiff_file_id
        || array(select (p ->> 'fileId')::bigint from jsonb_array_elements(page_images) p)) f
      where f is not null`.execute(tx)
  ).rows.map((row) => row.id);

/** Deletes these conversations with their notes and what waits to be mailed of them. */
export async function deleteConversationRows(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<void> {
  const these = sql`${[...ids]}::bigint[]`;
  await sql`delete from note where company_id = ${companyId} and model_type = 'conversation'
    and model_id = any(${these})`.execute(tx);
  await sql`delete from notification_digest where company_id = ${companyId}
    and conversation_id = any(${these})`.execute(tx);
  await sql`delete from conversation where company_id = ${companyId}
    and id = any(${these})`.execute(tx);
}

/** Deletes the items of calls and of their voicemails. */
export async function deleteItemsOfCalls(
  tx: Tx,
  companyId: number,
  callIds: readonly number[],
): Promise<GoneItem[]> {
  const sources = callIds.map((id) => `call:${id}`);
  const { rows } = await sql<GoneItem>`with calls as (
      delete from conversation_item where company_id = ${companyId}
        and source = any(${sources}::text[]) returning ${returned}),
    voicemails as (
      delete from conversation_item i using calls c where i.company_id = ${companyId}
        and i.conversation_id = c.conversation_id and i.kind in ('voicemail', 'trackingmatch')
        and (i.details ->> 'callId')::bigint = any(${[...callIds]}::bigint[])
      returning i.id, i.conversation_id, '{}'::bigint[] as files)
    select * from calls union all select * from voicemails`.execute(tx);
  return rows;
}

/** Deletes the notes that people wrote on these calls. */
export const deleteNotesOfCalls = (tx: Tx, companyId: number, callIds: readonly number[]) =>
  tx
    .deleteFrom('note')
    .where('company_id', '=', companyId)
    .where('model_type', '=', 'call')
    .where('model_id', 'in', [...callIds])
    .execute();

/** Marks files as deleted and returns their keys; those that are already gone are left out. */
export const markFilesDeleted = async (
  tx: Tx,
  companyId: number,
  fileIds: readonly number[],
  at: Date,
): Promise<string[]> =>
  (
    await tx
      .updateTable('file')
      .set({ deleted_at: at })
      .where('company_id', '=', companyId)
      .where('id', 'in', [...fileIds])
      .where('deleted_at', 'is', null)
      .returning('key')
      .execute()
  ).map((row) => row.key);

/** Deletes those of these conversations in which nothing is left. */
export const deleteEmptyConversations = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<number[]> =>
  (
    await sql<{ id: number }>`delete from conversation c where company_id = ${companyId}
      and id = any(${[...ids]}::bigint[])
      and not exists (select from conversation_item i
        where i.company_id = c.company_id and i.conversation_id = c.id)
      and not exists (select from fax f
        where f.company_id = c.company_id and f.conversation_id = c.id)
      and not exists (select from note n where n.company_id = c.company_id
        and n.model_type = 'conversation' and n.model_id = c.id)
      returning id`.execute(tx)
  ).rows.map((row) => row.id);
