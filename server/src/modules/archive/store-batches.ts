import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** Whether an archive of the company is being made. Locks, so that two can't begin at once. */
export const archiveIsRunning = async (
  tx: Tx,
  companyId: number,
  kind: string,
): Promise<boolean> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${kind}:${companyId}`}, 0))`.execute(
    tx,
  );
  const { rows } = await sql`select from batch where company_id = ${companyId}
    and kind = ${kind} and finished_at is null`.execute(tx);
  return rows.length > 0;
};

/** The company's batches of a kind, newest first. */
export const batchesOfKind = async (tx: Tx, companyId: number, kind: string) =>
  tx
    .selectFrom('batch')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(50)
    .execute();

/** Sets how many rows a batch is going to process. */
export const setBatchTotal = async (
  tx: Tx,
  companyId: number,
  id: string,
  total: number,
): Promise<void> => {
  await sql`update batch set total = greatest(${total}, processed, 1)
    where company_id = ${companyId} and id = ${id} and finished_at is null`.execute(tx);
};
