import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/**
 * The company's limit, locked so that two purchases at once can't exceed it together. `usual` is
 * the default.
 */
export async function lockLimit(tx: Tx, companyId: number, usual: number): Promise<number> {
  await tx
    .insertInto('number_limit')
    .values({ company_id: companyId, max_numbers: usual })
    .onConflict((c) => c.column('company_id').doNothing())
    .execute();
  return (
    await tx
      .selectFrom('number_limit')
      .select('max_numbers')
      .where('company_id', '=', companyId)
      .forUpdate()
      .executeTakeFirstOrThrow()
  ).max_numbers;
}
/** The same without a lock. */
export const limitOf = async (tx: Tx, companyId: number, usual: number): Promise<number> =>
  (
    await tx
      .selectFrom('number_limit')
      .select('max_numbers')
      .where('company_id', '=', companyId)
      .executeTakeFirst()
  )?.max_numbers ?? usual;
/** Sets how many numbers a company may have. */
export const setLimit = (tx: Tx, companyId: number, limit: number) =>
  tx
    .insertInto('number_limit')
    .values({ company_id: companyId, max_numbers: limit })
    .onConflict((c) => c.column('company_id').doUpdateSet({ max_numbers: limit }))
    .execute();
/** Numbers that count against the limit: all but those given up or being released. */
export async function usedNumbers(tx: Tx, companyId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int count from number
    where company_id = ${companyId} and status not in ('released', 'releasing')`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** Undefined: no request is open. */
export const openLimitRequest = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('number_limit_request')
    .select(['id', 'requested', 'status', 'created_at'])
    .where('company_id', '=', companyId)
    .where('status', '=', 'open')
    .executeTakeFirst();
/** Undefined: one is open already. */
export const insertLimitRequest = (
  tx: Tx,
  companyId: number,
  r: { requested: number; reason: string; requested_by: number | null; created_at: Date },
) =>
  tx
    .insertInto('number_limit_request')
    .values({ company_id: companyId, ...r })
    .onConflict((c) => c.column('company_id').where('status', '=', 'open').doNothing())
    .returning(['id', 'requested', 'status', 'created_at'])
    .executeTakeFirst();
