/** A person's contacts and files, whichever module has them. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { mustBe } from '../../../platform/must-be.ts';
import type { Person } from './person.ts';

/** All numbers of these contacts. */
export const numbersOfContacts = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<string[]> =>
  (
    await sql<{ number: string }>`select number from contact
        where company_id = ${companyId} and id = any(${[...ids]}::bigint[])
      union select number from contact_number
        where company_id = ${companyId} and contact_id = any(${[...ids]}::bigint[])
      order by 1`.execute(tx)
  ).rows.map((row) => row.number);

/** This contact, those it was merged from, and deleted ones with one of these numbers. */
export const formerContacts = async (
  tx: Tx,
  companyId: number,
  contactId: number,
  numbers: readonly string[],
): Promise<number[]> =>
  (
    await sql<{ id: number }>`select id from contact where company_id = ${companyId}
        and (id = ${contactId} or number = any(${[...numbers]}::text[]))
      union select source_id from contact_merge where company_id = ${companyId}
        and target_id = ${contactId} and undone_at is null`.execute(tx)
  ).rows.map((row) => row.id);

/** Whether a call with one of these parties goes on. */
export const isOnCall = async (
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
): Promise<boolean> =>
  mustBe(
    (
      await sql<{ is: boolean }>`select exists (select from call where company_id = ${companyId}
      and party = any(${[...numbers]}::text[]) and ended_at is null) as is`.execute(tx)
    ).rows[0],
    'the answer',
  ).is;

/** Files that may name anyone: exports, archives, files of contacts and of custom fields. */
const sharedFile = sql`purpose in ('export', 'archive', 'contact-import', 'field-update')`;

/** How much erasing this person deletes. */
export const countErased = async (tx: Tx, companyId: number, { contactIds, numbers }: Person) => {
  const theirs = sql`company_id = ${companyId} and party = any(${[...numbers]}::text[])`;
  const calls = sql`(select id from call where ${theirs})`;
  const conversations = sql`(select id from conversation where ${theirs})`;
  const { rows } = await sql<
    Record<'calls' | 'texts' | 'faxes' | 'notes' | 'visits' | 'files', number>
  >`select (select count(*)::int from call where ${theirs}) as calls,
    (select count(*)::int from conversation_item where company_id = ${companyId}
      and kind = 'message' and conversation_id in ${conversations}) as texts,
    (select count(*)::int from fax where ${theirs}) as faxes,
    (select count(*)::int from note where company_id = ${companyId} and deleted_at is null
      and (model_type, model_id) in (select 'call', id from ${calls} c
        union all select 'conversation', id from ${conversations} c
        union all select 'contact', unnest(${contactIds}::bigint[]))) as notes,
    (select count(distinct visit_id)::int from tracking_match where ${theirs}) as visits,
    (select count(*)::int from file f where company_id = ${companyId} and deleted_at is null
      and (${sharedFile} or id in (select file_id from recording where company_id = ${companyId}
          and call_id in ${calls})
        or id in (select (m ->> 'fileId')::bigint from conversation_item i,
          jsonb_array_elements(case when jsonb_typeof(i.details -> 'media') = 'array'
            then i.details -> 'media' else '[]' end) m where i.company_id = ${companyId}
            and i.conversation_id in ${conversations})
        or id in (select unnest(source_file_ids || pdf_file_id || tiff_file_id) from fax
          where ${theirs}))) as files`.execute(tx);
  return mustBe(rows[0], 'the counts');
};

/** Marks all files that may name anyone as deleted, and returns their keys. */
export const deleteSharedFiles = async (tx: Tx, companyId: number, at: Date): Promise<string[]> => {
  await sql`update contact_import set rows_file_id = null, result_file_id = null,
    mistakes_file_id = null, sample = '[]' where company_id = ${companyId}
      and (finished_at is not null or started_at is null)`.execute(tx);
  const { rows } = await sql<{ key: string }>`update file f set deleted_at = ${at}
    where company_id = ${companyId} and deleted_at is null and ${sharedFile}
      and not exists (select from contact_import i where i.company_id = f.company_id
        and f.id in (i.rows_file_id, i.result_file_id, i.mistakes_file_id))
      and not exists (select from field_update u where u.company_id = f.company_id
        and u.state = 'running' and f.id in (u.file_id, u.rows_file_id))
    returning key`.execute(tx);
  return rows.map((row) => row.key);
};

/** Deletes contacts for good, with what hangs on them. */
export async function deleteContacts(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`delete from note where company_id = ${companyId} and model_type = 'contact'
    and model_id = any(${[...ids]}::bigint[])`.execute(tx);
  await sql`delete from contact where company_id = ${companyId}
    and id = any(${[...ids]}::bigint[])`.execute(tx);
}
