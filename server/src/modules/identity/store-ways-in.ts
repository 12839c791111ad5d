import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { fail } from '../../platform/errors.ts';
import { ownName } from './external-sign-in/rules.ts';
import { organizationsLettingIn } from './external-sign-in/store-own.ts';

// The system role: who is known at the provider of an organization.

/** With what a person can sign in now. */
interface WaysIn {
  hasPassword: boolean;
  passkeys: number;
  /** Those that are linked. */
  providers: readonly string[];
  /** Organizations whose own provider lets them in. */
  organizations: readonly number[];
}

/**
 * With what a person can sign in now.
 * @param tx in their own wall, or as the system role
 * @param system the system role, which alone reads who is known to organizations
 */
export async function waysIn(tx: Tx, system: Tx, personId: number): Promise<WaysIn> {
  const { rows } = await sql<{ password: boolean; passkeys: number; providers: string[] }>`
    select has_password password,
      (select count(*)::int from passkey where person_id = p.id) passkeys,
      array(select provider from person_identity where person_id = p.id) providers
    from person p where id = ${personId}`.execute(tx);
  const { password = false, passkeys = 0, providers = [] } = rows[0] ?? {};
  const organizations = await organizationsLettingIn(system, personId);
  return { hasPassword: password, passkeys, providers, organizations };
}

/**
 * Whether a person could still sign in without one of their providers. One that is not set up here any
 * more lets no one in.
 * @param without a provider, or an organization as `ownName` calls it
 */
export const hasWayIn = (
  { gateways }: Pick<Ctx, 'gateways'>,
  { hasPassword, passkeys, providers, organizations }: WaysIn,
  without?: string,
): boolean =>
  hasPassword ||
  passkeys > 0 ||
  providers.some((name) => name !== without && gateways.signIn.has(name)) ||
  organizations.some((id) => ownName(id) !== without);

/** Fails with `sign_in.last_way` when a removal in this transaction has left the person no way in. */
export async function requireWayIn(
  ctx: Pick<Ctx, 'gateways' | 'db'>,
  tx: Tx,
  personId: number,
  system = ctx.db.unscoped,
): Promise<void> {
  if (!hasWayIn(ctx, await waysIn(tx, system, personId))) fail('sign_in.last_way');
}
