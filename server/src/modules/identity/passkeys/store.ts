import type { Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type PasskeyRow = Selectable<Tables['passkey']>;
export type ChallengePurpose = 'register' | 'sign_in';

/** A person's passkeys, oldest first. */
export const passkeysOf = (tx: Tx, personId: number) =>
  tx
    .selectFrom('passkey')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('id')
    .limit(100)
    .execute();
/** A passkey by its credential. Undefined: unknown. */
export const passkeyByCredential = (tx: Tx, credentialId: string) =>
  tx.selectFrom('passkey').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
/** Stores a passkey. Undefined: its credential is known already. */
export const insertPasskey = (
  tx: Tx,
  p: Pick<
    PasskeyRow,
    'person_id' | 'credential_id' | 'public_key' | 'counter' | 'transports' | 'name' | 'created_at'
  >,
) =>
  tx
    .insertInto('passkey')
    .values(p)
    .onConflict((c) => c.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
/** Renames a person's passkey. Undefined: none of this ID. */
export const updatePasskeyName = (tx: Tx, personId: number, id: number, name: string) =>
  tx
    .updateTable('passkey')
    .set({ name })
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
/** Removes a person's passkey. Undefined: none of this ID. */
export const deletePasskey = (tx: Tx, personId: number, id: number) =>
  tx
    .deleteFrom('passkey')
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
/**
 * Notes a use. False: another use with this or a later counter came first. Many authenticators
 * don't count and always send 0.
 */
export const markPasskeyUsed = async (
  tx: Tx,
  id: number,
  counter: number,
  at: Date,
): Promise<boolean> =>
  (
    await tx
      .updateTable('passkey')
      .set({ counter, last_used_at: at })
      .where('id', '=', id)
      .where((e) =>
        e.or([e('counter', '<', counter), ...(counter === 0 ? [e('counter', '=', 0)] : [])]),
      )
      .returning('id')
      .execute()
  ).length > 0;

/** Stores a challenge by its hash. */
export const insertChallenge = (
  tx: Tx,
  c: { hash: string; purpose: ChallengePurpose; person_id: number | null; expires_at: Date },
) => tx.insertInto('passkey_challenge').values(c).execute();
/** Uses a challenge up. Undefined: unknown, expired, or used before. */
export const takeChallenge = (tx: Tx, hash: string, purpose: ChallengePurpose, now: Date) =>
  tx
    .deleteFrom('passkey_challenge')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning(['person_id'])
    .executeTakeFirst();
