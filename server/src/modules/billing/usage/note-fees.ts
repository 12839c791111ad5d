import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

interface RegistrationFee {
  company_id: number;
  /** Once each. */
  cause: string;
  cents: number;
}

/** Adds fees of text registrations to what companies used; one that was added before is left out. */
export const noteRegistrationFees = (tx: Tx, fees: readonly RegistrationFee[], at: Date) =>
  sql`select note_usage(f.company_id, 'sms_registration_fee', f.cause, f.cents, null, null, ${at})
    from json_to_recordset(${JSON.stringify(fees)}::json)
      f(company_id bigint, cause text, cents int) where f.cents > 0`.execute(tx);
