/** Erasures under way, or ended, of a person's contacts. */
import { sql } from 'kysely';
import type { Batch } from '../../../platform/batches.ts';
import type { Tx } from '../../../platform/db.ts';

/** The newest erasure of one of these contacts. Undefined: none. */
export const lastErasure = async (
  tx: Tx,
  companyId: number,
  contactIds: readonly number[],
): Promise<Pick<Batch, 'id' | 'total' | 'processed' | 'finishedAt' | 'errors'> | undefined> =>
  // The literal kind, so that the planner finds the index of erasures.
  (
    await sql<Pick<Batch, 'id' | 'total' | 'processed' | 'finishedAt' | 'errors'>>`
      select id, total, processed, finished_at as "finishedAt", errors from batch
      where company_id = ${companyId} and kind = 'erase-person'
        and (input ->> 'contactId')::bigint = any(${[...contactIds]}::bigint[])
      order by created_at desc limit 1`.execute(tx)
  ).rows[0];

/** Makes others who would erase this person wait until this transaction ends. */
export const lockContacts = (tx: Tx, companyId: number, ids: readonly number[]) =>
  sql`select from contact where company_id = ${companyId} and id = any(${[...ids]}::bigint[])
    order by id for update`.execute(tx);
