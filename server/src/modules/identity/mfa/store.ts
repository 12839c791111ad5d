import { sql, type Selectable } from 'kysely';
import type { SentCodeKind } from '#contract/identity/mfa/rules';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type FactorRow = Selectable<Tables['mfa_factor']>;
export type FactorKind = 'totp' | SentCodeKind;

/** A person's factors, those being set up included. */
export const factorsOf = (tx: Tx, personId: number) =>
  tx.selectFrom('mfa_factor').selectAll().where('person_id', '=', personId).execute();
/** One factor, locked. Undefined: never set up. */
export const lockFactor = (tx: Tx, personId: number, kind: FactorKind) =>
  tx
    .selectFrom('mfa_factor')
    .selectAll()
    .where('person_id', '=', personId)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst();
/** Keeps what a factor will use once it is verified; what it uses now stays. */
export const setPendingFactor = (
  tx: Tx,
  personId: number,
  kind: FactorKind,
  pending_sealed: string | null,
) =>
  tx
    .insertInto('mfa_factor')
    .values({ person_id: personId, kind, pending_sealed })
    .onConflict((c) => c.columns(['person_id', 'kind']).doUpdateSet({ pending_sealed }))
    .execute();
/** A factor was verified: from now on it counts, with what was pending. */
export const activateFactor = (
  tx: Tx,
  { person_id, kind }: FactorRow,
  facts: { last_step: number | null; secret_sealed: string | null; at: Date },
) =>
  tx
    .updateTable('mfa_factor')
    .set({
      secret_sealed: facts.secret_sealed,
      pending_sealed: null,
      last_step: facts.last_step,
      verified_at: facts.at,
      last_used_at: facts.at,
    })
    .where('person_id', '=', person_id)
    .where('kind', '=', kind)
    .execute();
/** Notes that a factor was used. `step`: the time step whose code was accepted. */
export const markFactorUsed = (
  tx: Tx,
  { person_id, kind }: FactorRow,
  at: Date,
  step: number | null = null,
) =>
  tx
    .updateTable('mfa_factor')
    .set({ last_used_at: at, ...(step === null ? {} : { last_step: step }) })
    .where('person_id', '=', person_id)
    .where('kind', '=', kind)
    .execute();
/** Removes a factor. */
export const deleteFactor = (tx: Tx, personId: number, kind: FactorKind) =>
  tx.deleteFrom('mfa_factor').where('person_id', '=', personId).where('kind', '=', kind).execute();

/** When each unused recovery code of a person was made; empty: none are left. */
export const unusedRecoveryCodes = (tx: Tx, personId: number) =>
  tx
    .selectFrom('recovery_code')
    .select(['id', 'created_at'])
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute();
/** When a recovery code was last used; null: never. */
export const lastRecoveryUse = async (tx: Tx, personId: number): Promise<Date | null> =>
  (
    await tx
      .selectFrom('recovery_code')
      .select((e) => e.fn.max('used_at').as('at'))
      .where('person_id', '=', personId)
      .executeTakeFirst()
  )?.at ?? null;
/** Replaces a person's recovery codes; those not used no longer work. */
export async function replaceRecoveryCodes(
  tx: Tx,
  personId: number,
  hashes: readonly string[],
  at: Date,
): Promise<void> {
  await deleteRecoveryCodes(tx, personId);
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ person_id: personId, hash, created_at: at })))
    .execute();
}
/** Forgets a person's recovery codes. */
export const deleteRecoveryCodes = (tx: Tx, personId: number) =>
  tx.deleteFrom('recovery_code').where('person_id', '=', personId).execute();
/** Uses a recovery code up, by any of these hashes. False: unknown or used already. */
export const useRecoveryCode = async (
  tx: Tx,
  personId: number,
  hashes: readonly string[],
  at: Date,
): Promise<boolean> =>
  (
    await tx
      .updateTable('recovery_code')
      .set({ used_at: at })
      .where('person_id', '=', personId)
      .where('hash', 'in', hashes)
      .where('used_at', 'is', null)
      .returning('id')
      .execute()
  ).length > 0;

/**
 * Notes whether the person has a second factor or passkey now; without one, recovery codes go too.
 */
export async function syncMfaEnabled(tx: Tx, personId: number, at: Date): Promise<void> {
  const { rows } = await sql<{ enabled: boolean }>`
    update person set mfa_enabled_at = case when
        exists (select from mfa_factor where person_id = ${personId} and verified_at is not null)
        or exists (select from passkey where person_id = ${personId})
      then coalesce(mfa_enabled_at, ${at}) end
    where id = ${personId} returning mfa_enabled_at is not null enabled`.execute(tx);
  if (!rows[0]?.enabled) await deleteRecoveryCodes(tx, personId);
}

/**
 * A number that may text this phone, among those that match `plan`; undefined: none of the person's
 * companies has one.
 */
export const codeSender = async (tx: Tx, personId: number, target: string, plan: string) =>
  (
    await sql<{ number: string; provider_id: number; provider_ref: string | null }>`
      select * from code_sender(${personId}, ${target}, ${plan})`.execute(tx)
  ).rows[0];

/** Stores a sign-in that waits for its second factor. */
export const insertPendingSignIn = (
  tx: Tx,
  p: {
    hash: string;
    person_id: number;
    remember: boolean;
    admin_mode: boolean;
    sso_organization_id: number | null;
    by_password: boolean;
    created_at: Date;
    expires_at: Date;
  },
) => tx.insertInto('pending_sign_in').values(p).execute();
/** A sign-in that waits, locked. Undefined: unknown, expired or finished. */
export const lockPendingSignIn = (tx: Tx, hash: string, now: Date) =>
  tx
    .selectFrom('pending_sign_in')
    .selectAll()
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
/** Counts a try before its code is checked. */
export const countSignInTry = (tx: Tx, id: number) =>
  tx
    .updateTable('pending_sign_in')
    .set((e) => ({ tries: e('tries', '+', 1) }))
    .where('id', '=', id)
    .execute();
/** Ends a waiting sign-in: its token works once. */
export const endPendingSignIn = (tx: Tx, id: number, at: Date) =>
  tx.updateTable('pending_sign_in').set({ used_at: at }).where('id', '=', id).execute();

/** Ends all sign-ins of a person that wait to be finished: what they began with has changed. */
export async function deletePendingSignIns(tx: Tx, personId: number): Promise<void> {
  await tx.deleteFrom('pending_sign_in').where('person_id', '=', personId).execute();
  await tx.deleteFrom('external_sign_in').where('person_id', '=', personId).execute();
}

/** When the person last confirmed who they are in this session; null: never. */
export const confirmedAt = async (tx: Tx, sessionId: number): Promise<Date | null> =>
  (
    await tx
      .selectFrom('session')
      .select('confirmed_at')
      .where('id', '=', sessionId)
      .executeTakeFirst()
  )?.confirmed_at ?? null;
/** Notes that the person confirmed who they are. */
export const setConfirmed = (tx: Tx, sessionId: number, at: Date) =>
  tx.updateTable('session').set({ confirmed_at: at }).where('id', '=', sessionId).execute();

/** Removes everything but the password with which a person could sign in. */
export async function deleteAllFactors(tx: Tx, personId: number): Promise<void> {
  await tx.deleteFrom('mfa_factor').where('person_id', '=', personId).execute();
  await tx.deleteFrom('passkey').where('person_id', '=', personId).execute();
  await tx.deleteFrom('person_identity').where('person_id', '=', personId).execute();
  await deletePendingSignIns(tx, personId);
}
