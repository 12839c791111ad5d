import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type BillingContactRow = Selectable<Tables['billing_contact']>;
type Details = Omit<BillingContactRow, 'company_id' | 'id' | 'created_at' | 'updated_at'>;

/** The billing contacts of a company, by name. */
export const contactsOf = (tx: Tx, companyId: number): Promise<BillingContactRow[]> =>
  tx
    .selectFrom('billing_contact')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('first_name')
    .orderBy('last_name')
    .orderBy('id')
    .execute();

/** A billing contact. Undefined: none of this ID. */
export const contactById = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<BillingContactRow | undefined> =>
  tx
    .selectFrom('billing_contact')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();

interface NoticeSender {
  number: string;
  provider_id: number;
  provider_ref: string | null;
}
/** A number of the company that can text this phone; undefined: none can. */
export const noticeSender = async (
  tx: Tx,
  companyId: number,
  phone: string,
  plan: string,
): Promise<NoticeSender | undefined> =>
  (
    await sql<NoticeSender>`
      select * from notice_sender(${companyId}, ${phone}, ${plan})`.execute(tx)
  ).rows[0];

/** A billing contact, locked until the transaction ends. Undefined: none of this ID. */
export const lockedContact = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<BillingContactRow | undefined> =>
  tx
    .selectFrom('billing_contact')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Whether another contact of the company has this email address, whatever its case. */
export const isEmailTaken = async (
  tx: Tx,
  companyId: number,
  email: string,
  except: number | null,
): Promise<boolean> =>
  (await contactsOf(tx, companyId)).some(
    (other) => other.id !== except && other.email.toLowerCase() === email.toLowerCase(),
  );

/** Adds a billing contact. */
export const insertContact = (
  tx: Tx,
  companyId: number,
  details: Details,
  now: Date,
): Promise<BillingContactRow> =>
  tx
    .insertInto('billing_contact')
    .values({ company_id: companyId, ...details, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow();

/** Changes a billing contact. */
export const patchContact = (
  tx: Tx,
  row: BillingContactRow,
  details: Details,
  now: Date,
): Promise<BillingContactRow> =>
  tx
    .updateTable('billing_contact')
    .set({ ...details, updated_at: now })
    .where('company_id', '=', row.company_id)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Removes a billing contact. */
export const removeContact = (tx: Tx, row: BillingContactRow) =>
  tx
    .deleteFrom('billing_contact')
    .where('company_id', '=', row.company_id)
    .where('id', '=', row.id)
    .execute();
