import { sql, type Selectable } from 'kysely';
import type { Tax } from '#contract/billing/rules';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type TaxException = Selectable<Tables['billing_tax_exception']>;
type TaxChange = Selectable<Tables['billing_tax']>;
type InstallationTax = Tax & { seller_tax_id: string };

/** The tax that the operator set for all accounts; undefined: none was ever set. */
export async function installationTax(tx: Tx): Promise<InstallationTax | undefined> {
  const { rows } = await sql<InstallationTax>`select * from installation_tax()`.execute(tx);
  return rows[0];
}

/** How the company's tax differs from the installation's; undefined: it doesn't. */
export const exceptionOf = (tx: Tx, companyId: number): Promise<TaxException | undefined> =>
  tx
    .selectFrom('billing_tax_exception')
    .selectAll()
    .where('company_id', '=', companyId)
    .executeTakeFirst();

/** Sets how the company's tax differs; null: it doesn't any more. */
export async function saveException(
  tx: Tx,
  companyId: number,
  exception: Omit<TaxException, 'company_id'> | null,
): Promise<void> {
  await tx.deleteFrom('billing_tax_exception').where('company_id', '=', companyId).execute();
  if (exception)
    await tx
      .insertInto('billing_tax_exception')
      .values({ company_id: companyId, ...exception })
      .execute();
}

/** The newest changes of the installation's tax, newest first. Needs the system role. */
export const taxChanges = (tx: Tx, most: number): Promise<TaxChange[]> =>
  tx.selectFrom('billing_tax').selectAll().orderBy('id', 'desc').limit(most).execute();

/** Sets the installation's tax from now on. Needs the system role. */
export const insertTaxChange = (tx: Tx, change: Omit<TaxChange, 'id'>) =>
  tx.insertInto('billing_tax').values(change).execute();
