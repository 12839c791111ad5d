import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type ConnectionRow = Selectable<Tables['connection']>;

/** Notes that a user left for the provider to connect an account. */
export const insertAttempt = (tx: Tx, row: Insertable<Tables['connection_attempt']>) =>
  tx.insertInto('connection_attempt').values(row).execute();

/**
 * Takes an attempt away: it serves once, the session that began it, in time. Undefined: there was
 * none.
 */
export const takeAttempt = (
  tx: Tx,
  companyId: number,
  attempt: { stateHash: string; provider: string; sessionId: number; now: Date },
) =>
  tx
    .deleteFrom('connection_attempt')
    .where('company_id', '=', companyId)
    .where('state_hash', '=', attempt.stateHash)
    .where('provider', '=', attempt.provider)
    .where('session_id', '=', attempt.sessionId)
    .where('expires_at', '>', attempt.now)
    .returning(['redirect_uri', 'verifier_sealed'])
    .executeTakeFirst();

/** The account's row, made or, when it was connected before, used again. */
export const upsertConnection = (
  tx: Tx,
  row: Insertable<Tables['connection']>,
): Promise<ConnectionRow> => {
  const { company_id, provider, external_id, created_at, created_by, ...fresh } = row;
  const key = { company_id, provider, external_id };
  return tx
    .insertInto('connection')
    .values({ ...key, ...fresh, created_at, created_by })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'provider', 'external_id']).doUpdateSet(fresh),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** A company's connections, oldest first. */
export const listRows = (tx: Tx, companyId: number): Promise<ConnectionRow[]> =>
  tx
    .selectFrom('connection')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** A company's connections without those that were disconnected, oldest first. */
export const connectedRows = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('connection')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('status', '<>', 'disconnected')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** A connection of the company. Undefined: none of this ID. */
export const connectionRow = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('connection')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();

/**
 * The same, with its row lock: only one transaction at a time renews its tokens. Undefined: none of
 * this ID.
 */
export const lockConnection = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('connection')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Changes columns of a connection. */
export const patchConnection = (
  tx: Tx,
  companyId: number,
  id: number,
  set: Updateable<Tables['connection']>,
) =>
  tx
    .updateTable('connection')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** It works: written only where that is news. */
export const markWorked = (
  tx: Tx,
  companyId: number,
  id: number,
  now: Date,
  everySeconds: number,
) =>
  sql`update connection set status = 'connected', last_worked_at = ${now}
    where company_id = ${companyId} and id = ${id} and status in ('connected', 'failing')
      and (status = 'failing' or last_worked_at is null
        or last_worked_at < ${now}::timestamptz - make_interval(secs => ${everySeconds}))`.execute(
    tx,
  );

/** The last try failed; whether the provider refuses us for good is decided by renewing only. */
export const markFailing = (tx: Tx, companyId: number, id: number, now: Date, error: string) =>
  tx
    .updateTable('connection')
    .set({ status: 'failing', last_error: error.slice(0, 500), last_error_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('status', 'in', ['connected', 'failing'])
    .execute();
