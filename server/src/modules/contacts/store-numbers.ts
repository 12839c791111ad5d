import { sql } from 'kysely';
import { type Tx } from '../../platform/db.ts';
import type { ContactRow } from './store.ts';

/** The further numbers of these contacts. */
export const mergedNumbers = async (tx: Tx, companyId: number, ids: readonly number[]) =>
  ids.length
    ? tx
        .selectFrom('contact_number')
        .select(['contact_id', 'number'])
        .where('company_id', '=', companyId)
        .where('contact_id', 'in', [...ids])
        .orderBy('number')
        .execute()
    : [];
/** All numbers of the contact, its own first. */
export const numbersOfContact = async (
  tx: Tx,
  companyId: number,
  contact: Pick<ContactRow, 'id' | 'number'>,
): Promise<string[]> => [
  contact.number,
  ...(await mergedNumbers(tx, companyId, [contact.id])).map((n) => n.number),
];
/** Frees numbers that belong to contacts by a merge. */
export const deleteMergedNumbers = (tx: Tx, companyId: number, numbers: readonly string[]) =>
  tx
    .deleteFrom('contact_number')
    .where('company_id', '=', companyId)
    .where('number', 'in', [...numbers])
    .execute();
/** Lets these numbers belong to a contact beside its own, as after a merge. */
export const upsertMergedNumbers = (
  tx: Tx,
  companyId: number,
  contactId: number,
  numbers: readonly string[],
  at: Date,
) =>
  numbers.length
    ? tx
        .insertInto('contact_number')
        .values(
          numbers.map((number) => ({
            company_id: companyId,
            number,
            contact_id: contactId,
            created_at: at,
          })),
        )
        .onConflict((c) =>
          c.columns(['company_id', 'number']).doUpdateSet({ contact_id: contactId }),
        )
        .execute()
    : Promise.resolve([]);
/** Lets each number belong to its contact beside the contact's own, in one statement. */
export const linkNumbers = async (
  tx: Tx,
  companyId: number,
  rows: readonly { contactId: number; number: string }[],
  at: Date,
): Promise<void> => {
  if (rows.length)
    await sql`insert into contact_number (company_id, number, contact_id, created_at)
      select ${companyId}, n, c, ${at} from unnest(${rows.map((r) => r.number)}::text[],
        ${rows.map((r) => r.contactId)}::bigint[]) as asked (n, c) order by n
      on conflict (company_id, number) do update set contact_id = excluded.contact_id`.execute(tx);
};
/** Takes each number from its contact, unless it belongs to another one by now. */
export const unlinkNumbers = async (
  tx: Tx,
  companyId: number,
  rows: readonly { contactId: number; number: string }[],
): Promise<void> => {
  if (rows.length)
    await sql`delete from contact_number k using unnest(${rows.map((r) => r.number)}::text[],
        ${rows.map((r) => r.contactId)}::bigint[]) as asked (n, c)
      where k.company_id = ${companyId} and k.number = asked.n and k.contact_id = asked.c`.execute(
      tx,
    );
};
