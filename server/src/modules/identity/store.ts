import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { SessionKind } from './rules.ts';

/** A person by email address in any case. Undefined: none. */
export const personByEmail = (tx: Tx, email: string) =>
  tx
    .selectFrom('person')
    .selectAll()
    .where('email_key', '=', email.trim().toLowerCase())
    .executeTakeFirst();
/** A person, disabled ones included. Undefined: none of this ID. */
export const personById = (tx: Tx, id: number) =>
  tx.selectFrom('person').selectAll().where('id', '=', id).executeTakeFirst();

/** The signed-in person's own row, without what signs in. Undefined outside of their transaction. */
export const ownRow = (tx: Tx) =>
  tx
    .selectFrom('person')
    .select(['id', 'email', 'first_name', 'last_name', 'mfa_enabled_at'])
    .where('id', '=', sql<number>`current_person()`)
    .executeTakeFirst();

/** Stores a person. Undefined: the email address is taken. */
export const insertPerson = (
  tx: Tx,
  p: {
    email: string;
    password_hash: string | null;
    first_name: string;
    last_name: string;
    timezone: string | null;
    is_staff?: boolean;
    is_individual?: boolean;
  },
) =>
  tx
    .insertInto('person')
    .values({ ...p, email: p.email.trim() })
    .onConflict((c) => c.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
/** Locks the person until the transaction ends, so that their links are used one by one. */
export const lockPerson = (tx: Tx, id: number) =>
  tx.selectFrom('person').select('id').where('id', '=', id).forUpdate().executeTakeFirstOrThrow();
/** The hash of a person's password, which stays until the transaction ends; null: they have none. */
export const lockPasswordHash = async (tx: Tx, id: number): Promise<string | null> =>
  (
    await tx
      .selectFrom('person')
      .select('password_hash')
      .where('id', '=', id)
      .forShare()
      .executeTakeFirstOrThrow()
  ).password_hash;
/** Sets the password and invalidates all reset links sent before. */
export async function setPassword(
  tx: Tx,
  person: { id: number; email: string },
  password_hash: string,
  at: Date,
): Promise<void> {
  await tx.updateTable('person').set({ password_hash }).where('id', '=', person.id).execute();
  await invalidateCodes(tx, 'reset', person.email, at);
  // Begun with the old password, which no longer proves anything.
  await tx.deleteFrom('pending_sign_in').where('person_id', '=', person.id).execute();
}
/** Stores a person's SIP credentials; the password is encrypted. */
export const setSipCredentials = (
  tx: Tx,
  id: number,
  sip: { sip_address: string; sip_user: string; sip_password_secret: string },
) => tx.updateTable('person').set(sip).where('id', '=', id).execute();

interface NewSession {
  person_id: number;
  kind: SessionKind;
  device_name: string | null;
  cookie_hash: string | null;
  access_hash: string;
  refresh_hash: string | null;
  access_expires_at: Date;
  refresh_expires_at: Date;
  admin_mode: boolean;
  sso_organization_id: number | null;
  ip: string | null;
  user_agent: string | null;
  family?: string;
  confirmed_at: Date | null;
  remote_login_id?: number;
  created_at: Date;
  last_seen_at: Date;
}
/** Stores a session and returns its ID and its family, which all its renewals share. */
export const insertSession = (tx: Tx, s: NewSession) =>
  tx.insertInto('session').values(s).returning(['id', 'family']).executeTakeFirstOrThrow();
/** The session of a refresh token's hash, ended ones included, locked. Undefined: no such token. */
export const lockSessionByRefresh = (tx: Tx, hash: string) =>
  tx
    .selectFrom('session')
    .selectAll()
    .where('refresh_hash', '=', hash)
    .forUpdate()
    .executeTakeFirst();
/** Ends a session because its refresh token was used; its successor has a new one. */
export const markSessionRefreshed = (tx: Tx, id: number, at: Date) =>
  tx.updateTable('session').set({ refreshed_at: at, ended_at: at }).where('id', '=', id).execute();
/** A person's sessions that have not ended, last used first; at most 200. */
export const liveSessions = (tx: Tx, personId: number) =>
  tx
    .selectFrom('session')
    .selectAll()
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .orderBy('last_seen_at', 'desc')
    .limit(200)
    .execute();

/** Ends the sessions that match all parts of the filter; returns each with its person. */
export function endSessions(
  tx: Tx,
  filter: { personIds?: readonly number[]; exceptId?: number; id?: number; family?: string },
  at: Date,
): Promise<{ id: number; person_id: number }[]> {
  let q = tx.updateTable('session').set({ ended_at: at }).where('ended_at', 'is', null);
  if (filter.personIds)
    q = q.where('person_id', '=', sql<number>`any(${[...filter.personIds]}::bigint[])`);
  if (filter.exceptId) q = q.where('id', '<>', filter.exceptId);
  if (filter.id) q = q.where('id', '=', filter.id);
  if (filter.family) q = q.where('family', '=', filter.family);
  return q.returning(['id', 'person_id']).execute();
}

/** How many sign-ins with this email address failed since a time. */
export const countFailuresOfEmail = async (tx: Tx, email: string, since: Date) =>
  Number(
    (
      await tx
        .selectFrom('login_attempt')
        .select((e) => e.fn.countAll().as('n'))
        .where('email_key', '=', email.trim().toLowerCase())
        .where('at', '>', since)
        .where('ok', '=', false)
        .executeTakeFirstOrThrow()
    ).n,
  );
/** Failures from a network, for all accounts. */
export const countFailuresOfNetwork = async (tx: Tx, network: string, since: Date) =>
  Number(
    (
      await tx
        .selectFrom('login_attempt')
        .select((e) => e.fn.countAll().as('n'))
        .where('network', '=', network)
        .where('at', '>', since)
        .where('ok', '=', false)
        .executeTakeFirstOrThrow()
    ).n,
  );
/** Lock until the transaction ends, across processes: what it guards is counted one by one. */
export const lockSignIn = (tx: Tx, key: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${key}, 11))`.execute(tx);
/** Records an attempt, as failed until `markAttemptSucceeded`; returns its ID. */
export const insertAttempt = async (
  tx: Tx,
  { email, ...a }: { email: string; ip: string; network: string; at: Date },
): Promise<number> =>
  (
    await tx
      .insertInto('login_attempt')
      .values({ ...a, email_key: email.trim().toLowerCase(), ok: false })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
/** Notes that a sign-in succeeded, so that it doesn't count as a failure. */
export const markAttemptSucceeded = (tx: Tx, id: number) =>
  tx.updateTable('login_attempt').set({ ok: true }).where('id', '=', id).execute();
/** Forgets the failed sign-ins of an email address. */
export const deleteFailures = (tx: Tx, email: string) =>
  tx
    .deleteFrom('login_attempt')
    .where('email_key', '=', email.trim().toLowerCase())
    .where('ok', '=', false)
    .execute();

/** How many codes for this purpose were mailed to an address since a time. */
export const countCodesSince = async (tx: Tx, purpose: string, email: string, since: Date) =>
  Number(
    (
      await tx
        .selectFrom('sent_code')
        .select((e) => e.fn.countAll().as('n'))
        .where('purpose', '=', purpose)
        .where('email_key', '=', email.trim().toLowerCase())
        .where('created_at', '>', since)
        .executeTakeFirstOrThrow()
    ).n,
  );
/** Stores a mailed code as its hash and returns its ID. */
export const insertCode = async (
  tx: Tx,
  c: { purpose: string; email_key: string; hash: string; created_at: Date; expires_at: Date },
): Promise<number> =>
  (await tx.insertInto('sent_code').values(c).returning('id').executeTakeFirstOrThrow()).id;
/** The newest code that is neither used nor expired, locked. Undefined: none. */
export const lockLatestCode = (tx: Tx, purpose: string, email: string, now: Date) =>
  tx
    .selectFrom('sent_code')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('email_key', '=', email.trim().toLowerCase())
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
/** The code of this hash if it is neither used nor expired, locked. Undefined: none. */
export const lockCodeByHash = (tx: Tx, purpose: string, hash: string, now: Date) =>
  tx
    .selectFrom('sent_code')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
/** Notes that a code was used; it counts once. */
export const markCodeUsed = (tx: Tx, id: number, at: Date) =>
  tx.updateTable('sent_code').set({ used_at: at }).where('id', '=', id).execute();
/** Invalidates all codes of this purpose sent to an address. */
export const invalidateCodes = (tx: Tx, purpose: string, email: string, at: Date) =>
  tx
    .updateTable('sent_code')
    .set({ used_at: at })
    .where('purpose', '=', purpose)
    .where('email_key', '=', email.trim().toLowerCase())
    .where('used_at', 'is', null)
    .execute();
/** Counts a wrong entry of a code. */
export const countFailedTry = (tx: Tx, id: number) =>
  tx
    .updateTable('sent_code')
    .set((e) => ({ tries: e('tries', '+', 1) }))
    .where('id', '=', id)
    .execute();
