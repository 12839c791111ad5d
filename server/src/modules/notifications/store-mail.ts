/** Read-only queries of tables of other modules. */
import type { Tx } from '../../platform/db.ts';

/**
 * The addresses that a number's voicemails go to: a fax goes to them as well. Null: no such number.
 */
export async function mailAddressesOfNumber(
  tx: Tx,
  companyId: number,
  numberId: number,
): Promise<{ number: string; label: string; emails: string[] } | null> {
  const row = await tx
    .selectFrom('number')
    .select(['number', 'label', 'voicemail_emails'])
    .where('company_id', '=', companyId)
    .where('id', '=', numberId)
    .executeTakeFirst();
  return row ? { number: row.number, label: row.label, emails: row.voicemail_emails } : null;
}
