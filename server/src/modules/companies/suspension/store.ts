import type { Tx } from '../../../platform/db.ts';

/** Sets since when a company is suspended; null: it isn't. False: nothing changed. */
export const setSuspendedAt = async (tx: Tx, id: number, at: Date | null): Promise<boolean> =>
  (
    await tx
      .updateTable('company')
      .set({ suspended_at: at })
      .where('id', '=', id)
      .where('suspended_at', at ? 'is' : 'is not', null)
      .returning('id')
      .execute()
  ).length > 0;

/** The people who are active in a company. */
export const activeMembersOf = async (tx: Tx, companyId: number): Promise<number[]> =>
  (
    await tx
      .selectFrom('membership')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('role', '<>', 'deactivated')
      .execute()
  ).map((row) => row.user_id);
