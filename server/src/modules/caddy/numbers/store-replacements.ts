import type { Tx } from '../../../platform/db.ts';

/** Exchanges since a time, oldest first. */
export const replacementsSince = (tx: Tx, companyId: number, since: Date) =>
  tx
    .selectFrom('caddy_replacement')
    .select(['id', 'at'])
    .where('company_id', '=', companyId)
    .where('at', '>', since)
    .orderBy('at')
    .execute();

/** Counts an exchange that begins; returns its ID. */
export const insertReplacement = async (
  tx: Tx,
  companyId: number,
  oldNumberId: number,
  at: Date,
): Promise<number> =>
  (
    await tx
      .insertInto('caddy_replacement')
      .values({ company_id: companyId, old_number_id: oldNumberId, at })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;

/** Notes what the number was exchanged for. */
export const finishReplacement = (tx: Tx, companyId: number, id: number, newNumberId: number) =>
  tx
    .updateTable('caddy_replacement')
    .set({ new_number_id: newNumberId })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** Forgets an exchange that failed. */
export const removeReplacement = (tx: Tx, companyId: number, id: number) =>
  tx
    .deleteFrom('caddy_replacement')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
