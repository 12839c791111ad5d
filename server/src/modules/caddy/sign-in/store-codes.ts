import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

export type CodePurpose = 'register' | 'login' | 'reset' | 'change' | 'delete';

/** Waits its turn until the transaction ends, across processes: what it guards is counted one by one. */
export const waitForTurn = (tx: Tx, key: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${key}, 13))`.execute(tx);

/** How many codes were asked for since a time, by what they have in common. */
export async function countCodes(
  tx: Tx,
  column: 'target_hash' | 'device_hash' | 'network_hash' | 'purpose',
  value: string,
  since: Date,
): Promise<number> {
  const { n } = await tx
    .selectFrom('caddy_code')
    .select((e) => e.fn.countAll<number>().as('n'))
    .where(column, '=', value)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Stores a code as its hash; returns its ID. Earlier ones for the same purpose stop working. */
export async function insertCode(
  tx: Tx,
  code: {
    purpose: CodePurpose;
    target_hash: string;
    device_hash: string | null;
    network_hash: string;
    hash: string;
    created_at: Date;
    expires_at: Date;
  },
): Promise<number> {
  return (await tx.insertInto('caddy_code').values(code).returning('id').executeTakeFirstOrThrow())
    .id;
}

/** The newest code of these hashes that neither was used nor expired, locked. Undefined: none. */
export const lockNewestCode = (
  tx: Tx,
  purpose: CodePurpose,
  targetHashes: readonly string[],
  now: Date,
) =>
  tx
    .selectFrom('caddy_code')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('target_hash', 'in', [...targetHashes])
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

/** Counts a wrong try of a code. */
export const countTry = (tx: Tx, id: number) =>
  sql`update caddy_code set tries = tries + 1 where id = ${id}`.execute(tx);

/** Uses a code up. */
export const markUsed = (tx: Tx, id: number, at: Date) =>
  tx.updateTable('caddy_code').set({ used_at: at }).where('id', '=', id).execute();
