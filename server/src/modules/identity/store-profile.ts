import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

/** Changes a person's names and time zone; absent ones stay. */
export const patchPerson = (
  tx: Tx,
  id: number,
  patch: { first_name?: string; last_name?: string; timezone?: string | null },
) => tx.updateTable('person').set(patch).where('id', '=', id).execute();

/** Notes an address that waits for its code; null: none. */
export const setPendingEmail = (tx: Tx, id: number, email: string | null) =>
  tx.updateTable('person').set({ pending_email: email }).where('id', '=', id).execute();

/** Sets the address a person signs in with. False: someone else has it. */
export const setEmail = async (tx: Tx, id: number, email: string): Promise<boolean> =>
  Boolean(
    (
      await sql<{ id: number }>`update person set email = ${email}, pending_email = null
        where id = ${id} and not exists (select
          from person other where other.email_key = lower(${email}) and other.id <> ${id})
        returning id`.execute(tx)
    ).rows[0],
  );

/** Gives an open session other tokens; its cookie stays. False: the session has ended. */
export const replaceSessionTokens = async (
  tx: Tx,
  sessionId: number,
  tokens: {
    access_hash: string;
    refresh_hash: string;
    access_expires_at: Date;
    refresh_expires_at: Date;
  },
): Promise<boolean> =>
  (
    await tx
      .updateTable('session')
      .set(tokens)
      .where('id', '=', sessionId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
  ).numUpdatedRows > 0n;

/** Removes a person's SIP credentials: no phone can register with them again. */
export const clearSipCredentials = (tx: Tx, id: number) =>
  tx
    .updateTable('person')
    .set({ sip_address: null, sip_user: null, sip_password_secret: null })
    .where('id', '=', id)
    .execute();

/** Whether anyone of a company has an account on this installation. */
export const anyPersonExists = async (db: Tx) =>
  Boolean(
    await db
      .selectFrom('person')
      .select('id')
      .where('is_individual', '=', false)
      .limit(1)
      .executeTakeFirst(),
  );

/** Whether platform staff has an account that can sign in. */
export const anyStaffExists = async (db: Tx) =>
  Boolean(
    await db
      .selectFrom('person')
      .select('id')
      .where('is_staff', '=', true)
      .where('disabled_at', 'is', null)
      .limit(1)
      .executeTakeFirst(),
  );

/** Notes when a person last opened What's new. */
export const setWhatsNewRead = (tx: Tx, id: number, at: Date) =>
  tx.updateTable('person').set({ read_whats_new_at: at }).where('id', '=', id).execute();
