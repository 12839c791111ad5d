import { sql } from 'kysely';
import type { GatewayServices } from '../adapter.ts';

// The system role: a name of a charge is locked, and nothing is read or written.

/**
 * Asks Maxio about one charge after the other, whichever process does: it has no keys that would make
 * two at once harmless. Throws what `work` throws.
 */
export const oneAtATime = <T>(
  db: GatewayServices['db'],
  name: string,
  work: () => Promise<T>,
): Promise<T> =>
  db.systemTransaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 17))`.execute(tx);
    return work();
  });
