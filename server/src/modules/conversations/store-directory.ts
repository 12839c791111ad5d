import type { Tx } from '../../platform/db.ts';

/** Whose number is it? The one look-up without a company: the system role asks. */
export async function whoseNumber(db: Tx, number: string): Promise<{ companyId: number; numberId: number } | null> {
  const row = await db.selectFrom('number_directory').select(['company_id', 'number_id']).where('number', '=', number).executeTakeFirst();
  return row ? { companyId: row.company_id, numberId: row.number_id } : null;
}
