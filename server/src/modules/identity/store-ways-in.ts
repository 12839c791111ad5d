import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { fail } from '../../platform/errors.ts';

/** With what a person can sign in now. */
interface WaysIn {
  hasPassword: boolean;
  passkeys: number;
  /** Those that are linked. */
  providers: readonly string[];
}

/** With what a person can sign in now; in their own wall, or as the system role. */
export async function waysIn(tx: Tx, personId: number): Promise<WaysIn> {
  const { rows } = await sql<{ password: boolean; passkeys: number; providers: string[] }>`
    select has_password password,
      (select count(*)::int from passkey where person_id = p.id) passkeys,
      array(select provider from person_identity where person_id = p.id) providers
    from person p where id = ${personId}`.execute(tx);
  const { password = false, passkeys = 0, providers = [] } = rows[0] ?? {};
  return { hasPassword: password, passkeys, providers };
}

/** Whether a person could still sign in without one of their providers. One that is not set up here any more lets no one in. */
export const hasWayIn = (
  { gateways }: Pick<Ctx, 'gateways'>,
  { hasPassword, passkeys, providers }: WaysIn,
  without?: string,
): boolean =>
  hasPassword ||
  passkeys > 0 ||
  providers.some((name) => name !== without && gateways.signIn.has(name));

/** Fails with `sign_in.last_way` when a removal in this transaction has left the person no way in. */
export async function requireWayIn(
  ctx: Pick<Ctx, 'gateways'>,
  tx: Tx,
  personId: number,
): Promise<void> {
  if (!hasWayIn(ctx, await waysIn(tx, personId))) fail('sign_in.last_way');
}
