/** What is left of a person beside calls, conversations and the contact, in every module. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Person } from './person.ts';

/** Tables whose rows go with a number, as `[table, column]`. */
const byNumber = [
  ['caller_identity', 'number'],
  ['caller_change', 'party'],
  ['auto_reply_sent', 'party'],
  ['number_trigger_reply', 'party'],
  ['possible_opt_out', 'party'],
  ['contact_activity', 'number'],
  ['tracking_match', 'party'],
] as const;

/**
 * Deletes what names the person by number. What is counted or billed stays without the number:
 * look-ups, and recipients of campaigns.
 */
export async function deleteTraces(tx: Tx, companyId: number, person: Person): Promise<void> {
  const numbers = sql`${person.numbers}::text[]`;
  const contacts = sql`${person.contactIds}::bigint[]`;
  for (const [table, column] of byNumber)
    await sql`delete from ${sql.table(table)} where company_id = ${companyId}
      and ${sql.ref(column)} = any(${numbers})`.execute(tx);
  // A number's timeline says who called.
  await sql`delete from number_event where company_id = ${companyId}
    and after ->> 'party' is not null and after ->> 'party' = any(${numbers})`.execute(tx);
  await sql`update caller_lookup set number = 'erased' where company_id = ${companyId}
    and number = any(${numbers})`.execute(tx);
  await sql`with theirs as (update campaign_recipient set to_number = 'erased:' || id,
        contact_id = null, reply = null, conversation_id = null, item_id = null
      where company_id = ${companyId} and to_number = any(${numbers}) returning id, batch_id)
    update campaign_batch b set texts[array_position(b.recipient_ids, theirs.id)] = ''
    from theirs where b.company_id = ${companyId} and b.id = theirs.batch_id
      and array_position(b.recipient_ids, theirs.id) <= cardinality(b.texts)`.execute(tx);
  await sql`delete from field_update_change c using field_update u
    where c.company_id = ${companyId} and u.company_id = c.company_id and u.id = c.update_id
      and u.entity_type_id = 7 and c.entity_id = any(${contacts})`.execute(tx);
  // Results of imports are rows of many people: what undoes them goes with this one.
  await sql`delete from contact_import_chunk c where company_id = ${companyId}
    and exists (select from unnest(${numbers}) n where c.rows::text like '%' || n || '%')`.execute(
    tx,
  );
}

/** Deletes the visits that led to the person's calls and texts, and all others of that browser. */
export async function deleteVisits(tx: Tx, companyId: number, person: Person): Promise<void> {
  const { rows } = await sql<{ id: number }>`with theirs as (
      select v.id, v.visitor_id from tracking_match m join tracking_visit v
        on v.company_id = m.company_id and v.id = m.visit_id
      where m.company_id = ${companyId} and m.party = any(${person.numbers}::text[]))
    delete from tracking_visit v where company_id = ${companyId} and (id in (select id from theirs)
      or visitor_id in (select visitor_id from theirs)) returning id`.execute(tx);
  if (rows.length)
    await sql`delete from tracking_hit where company_id = ${companyId}
      and visit_id = any(${rows.map((row) => row.id)}::bigint[])`.execute(tx);
}
