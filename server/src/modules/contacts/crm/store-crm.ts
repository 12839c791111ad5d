/** Which record of a connected CRM a contact is, and what it gave the contact. */
import { sql, type Selectable, type Updateable } from 'kysely';
import type { CrmName } from '#contract/contacts/rules';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { patchContact, type ContactRow } from '../store.ts';

export type CrmRecordRow = Selectable<Tables['contact_crm_record']>;

/** The records of these contacts in a CRM. */
export const recordsOfContacts = (
  tx: Tx,
  companyId: number,
  { connectionId, contactIds }: { connectionId: number; contactIds: readonly number[] },
): Promise<CrmRecordRow[]> =>
  contactIds.length === 0
    ? Promise.resolve([])
    : tx
        .selectFrom('contact_crm_record')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('connection_id', '=', connectionId)
        .where('contact_id', 'in', [...contactIds])
        .execute();

/** The contacts that are these records of a CRM. */
export const recordsByExternalIds = (
  tx: Tx,
  companyId: number,
  { connectionId, externalIds }: { connectionId: number; externalIds: readonly string[] },
): Promise<CrmRecordRow[]> =>
  externalIds.length === 0
    ? Promise.resolve([])
    : tx
        .selectFrom('contact_crm_record')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('connection_id', '=', connectionId)
        .where('external_id', 'in', [...externalIds])
        .execute();

/** Who owns these contacts in a CRM; those without an owner are missing. */
export const ownersOfContacts = (
  tx: Tx,
  companyId: number,
  contactIds: readonly number[],
): Promise<Pick<CrmRecordRow, 'contact_id' | 'owner_name' | 'provider'>[]> =>
  tx
    .selectFrom('contact_crm_record')
    .select(['contact_id', 'owner_name', 'provider'])
    .where('company_id', '=', companyId)
    .where('contact_id', 'in', [...contactIds])
    .where('owner_name', '<>', '')
    .orderBy('updated_at', 'desc')
    .execute();

/** Stores which record a contact is. */
export const upsertCrmRecord = (tx: Tx, row: CrmRecordRow) =>
  tx
    .insertInto('contact_crm_record')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'contact_id', 'connection_id']).doUpdateSet((eb) => ({
        external_id: eb.ref('excluded.external_id'),
        owner_name: eb.ref('excluded.owner_name'),
        updated_at: eb.ref('excluded.updated_at'),
      })),
    )
    .execute();

/** Forgets the records of a CRM; the names it gave stay. */
export const deleteCrmRecords = (tx: Tx, companyId: number, connectionId: number) =>
  tx
    .deleteFrom('contact_crm_record')
    .where('company_id', '=', companyId)
    .where('connection_id', '=', connectionId)
    .execute();

/** Runs `work`, whose changes of names and assignments are a CRM's and no person's. */
export async function asCrm<T>(tx: Tx, provider: CrmName, work: () => Promise<T>): Promise<T> {
  const say = (who: string) => sql`select set_config('trunkline.crm', ${who}, true)`.execute(tx);
  await say(provider);
  const result = await work();
  // Where it threw, the transaction is over, and the setting with it.
  await say('');
  return result;
}

/** Changes names of a contact as a CRM does, and returns it. */
export const patchAsCrm = (
  tx: Tx,
  companyId: number,
  { id, provider }: { id: number; provider: CrmName },
  patch: Pick<Updateable<Tables['contact']>, 'name' | 'company_name'>,
  at: Date,
): Promise<ContactRow> => asCrm(tx, provider, () => patchContact(tx, companyId, id, patch, at));
