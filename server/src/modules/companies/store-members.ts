import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** Who of the company has which numbers; an empty list is every number. Held until the transaction ends. */
export const limitedMembers = (tx: Tx, companyId: number) =>
  tx.selectFrom('membership').select(['user_id', 'number_ids']).where('company_id', '=', companyId).where('role', '<>', 'deactivated').orderBy('user_id').forUpdate().execute() as Promise<{ user_id: number; number_ids: number[] }[]>;
export const setNumbersOfMember = (tx: Tx, companyId: number, userId: number, numberIds: readonly number[]) =>
  sql`update membership set number_ids = ${[...numberIds]}::bigint[] where company_id = ${companyId} and user_id = ${userId}`.execute(tx);
