import { sql } from 'kysely';
import type { Tx } from './db.ts';

/**
 * Runs what may fail without losing the rest of the transaction: then its writes are undone and its
 * error is thrown, and the transaction goes on. Two statements more.
 */
export async function withSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`savepoint optional`.execute(tx);
  try {
    const result = await work();
    await sql`release savepoint optional`.execute(tx);
    return result;
  } catch (error) {
    await sql`rollback to savepoint optional`.execute(tx);
    throw error;
  }
}
