import { type Tx } from '../../platform/db.ts';
import type { ContactRow } from './store.ts';

/** Numbers that these contacts got from merges. */
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
