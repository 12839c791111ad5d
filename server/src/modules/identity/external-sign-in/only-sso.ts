import { ssoEmergencyUsed } from '#contract/identity/external-sign-in/events';
import { auditPerson } from '../../../platform/audit.ts';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import type { PersonRow } from '../present.ts';
import { ssoRequiredBy, ssoRuleOf, type SsoRule } from './store-own.ts';

/**
 * Refuses a first proof other than the provider of the organization that asks for its own
 * (`sso.required`). Whose account also opens what isn't the organization's signs in as before: its
 * companies stay closed to that session. An owner's password passes where a second factor follows.
 */
export async function requireOwnSso(
  tx: Tx,
  person: Pick<PersonRow, 'id'>,
  { byPassword, hasFactor }: { byPassword: boolean; hasFactor: boolean },
): Promise<void> {
  const rule = await ssoRuleOf(tx, person.id);
  if (!rule || rule.is_elsewhere) return;
  if (!(rule.is_owner && byPassword && hasFactor)) refuse(rule);
}

/** Refuses to set a password that could open nothing. Owners keep theirs, for the emergency door. */
export async function requirePasswordOfUse(tx: Tx, person: Pick<PersonRow, 'id'>): Promise<void> {
  const rule = await uselessPasswordOf(tx, person);
  if (rule) refuse(rule);
}

/** The organization that makes a password useless to a person; null: it is of use. */
export async function uselessPasswordOf(
  tx: Tx,
  { id }: Pick<PersonRow, 'id'>,
): Promise<SsoRule | null> {
  const rule = await ssoRuleOf(tx, id);
  return rule && !rule.is_elsewhere && !rule.is_owner ? rule : null;
}

/**
 * The organization whose own sign-in a session stands for that was opened past it, by a password
 * and a second factor: owners are let in, so that a provider that is down locks no organization out.
 * It is in the log, and the other owners are told. Null: none.
 */
export async function passSso(
  ctx: Ctx,
  tx: Tx,
  { id }: Pick<PersonRow, 'id'>,
  byPassword: boolean,
): Promise<number | null> {
  const rule = await ssoRuleOf(tx, id);
  if (!rule) return null;
  if (!rule.is_owner || !byPassword) return rule.is_elsewhere ? null : refuse(rule);
  const { organization_id: organizationId } = rule;
  await auditPerson(ctx, tx, id, 'sso.emergency_used');
  await publishIn(
    tx,
    ssoEmergencyUsed,
    {
      organizationId,
      userId: id,
      ip: ctx.origin?.ip ?? '',
      at: ctx.now.toISOString(),
    },
    {},
  );
  return organizationId;
}

/**
 * Refuses an address by which a person would get around the sign-in of the organization that they
 * have a place in (`sso.address_kept`).
 */
export async function requireAddressOfSso(tx: Tx, personId: number, email: string): Promise<void> {
  const rule = await ssoRuleOf(tx, personId);
  if (!rule?.is_inside) return;
  if ((await ssoRequiredBy(tx, email)) !== rule.organization_id)
    fail('sso.address_kept', { organization: rule.organization });
}

const refuse = ({ organization }: SsoRule): never => fail('sso.required', { organization });
