import type { Tx } from '../../../platform/db.ts';
import { releasable } from '../rules.ts';

/** The company's numbers outside of tracking pools that can be released, oldest first. */
export const releasableNumbers = async (tx: Tx, companyId: number): Promise<number[]> =>
  (
    await tx
      .selectFrom('number')
      .select('id')
      .where('company_id', '=', companyId)
      .where('status', 'in', [...releasable])
      .where('dni_pool_id', 'is', null)
      .orderBy('id')
      .execute()
  ).map((row) => row.id);
