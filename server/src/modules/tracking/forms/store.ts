import { sql } from 'kysely';
import { formLimits } from '#contract/tracking/form-rules';
import type { Tx } from '../../../platform/db.ts';

/** Counts a form at its visit; false: it had as many as become leads. */
export async function countForm(tx: Tx, companyId: number, visitId: number): Promise<boolean> {
  const { rows } = await sql`update tracking_visit set form_count = form_count + 1
    where company_id = ${companyId} and id = ${visitId}
      and form_count < ${formLimits.perVisit} returning id`.execute(tx);
  return rows.length > 0;
}
