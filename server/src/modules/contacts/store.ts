import { sql, type Selectable, type Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export const owns = ['contact'] as const;
export type ContactRow = Selectable<Tables['contact']>;

const living = (tx: Tx, companyId: number) => tx.selectFrom('contact').selectAll().where('company_id', '=', companyId).where('deleted_at', 'is', null);

export const contactById = (tx: Tx, companyId: number, id: number) => living(tx, companyId).where('id', '=', id).executeTakeFirst();
export const contactsById = (tx: Tx, companyId: number, ids: readonly number[]): Promise<ContactRow[]> =>
  ids.length ? living(tx, companyId).where('id', 'in', [...ids]).execute() : Promise.resolve([]);
export const contactsByNumber = (tx: Tx, companyId: number, numbers: readonly string[]): Promise<ContactRow[]> =>
  numbers.length ? living(tx, companyId).where('number', 'in', [...numbers]).execute() : Promise.resolve([]);

/** Make the contact unless the number has one; two at once make one. `undefined`: it was there. */
export const insertContact = (tx: Tx, companyId: number, number: string, name: string, source: string, at: Date): Promise<ContactRow | undefined> =>
  tx.insertInto('contact').values({ company_id: companyId, number, name, source, created_at: at, updated_at: at })
    .onConflict((c) => c.columns(['company_id', 'number']).where('deleted_at', 'is', null).doNothing()).returningAll().executeTakeFirst();

/** Make those that are missing, in the order of their numbers, so that two who do this at once never wait for each other in a circle. */
export const insertContacts = async (tx: Tx, companyId: number, numbers: readonly string[], source: string, at: Date): Promise<ContactRow[]> =>
  (await sql<ContactRow>`insert into contact (company_id, number, source, created_at, updated_at) select ${companyId}, n, ${source}, ${at}, ${at} from unnest(${[...numbers].sort()}::text[]) n
    on conflict (company_id, number) where deleted_at is null do nothing returning *`.execute(tx)).rows;

export const patchContact = (tx: Tx, companyId: number, id: number, patch: Updateable<Tables['contact']>, at: Date): Promise<ContactRow> =>
  tx.updateTable('contact').set({ ...patch, updated_at: at }).where('company_id', '=', companyId).where('id', '=', id).returningAll().executeTakeFirstOrThrow();

export const markUnsubscribed = (tx: Tx, companyId: number, number: string, at: Date | null) =>
  sql`update contact set unsubscribed_at = ${at} where company_id = ${companyId} and number = ${number} and deleted_at is null`.execute(tx);
