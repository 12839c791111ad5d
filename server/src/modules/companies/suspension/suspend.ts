import type { EffectiveRole } from '#contract';
import { companySuspensionChanged } from '#contract/companies/organizations/events';
import { permissionsChanged } from '#contract/identity/events';
import type { AccessBlock } from '../../../platform/access.ts';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { activeMembersOf, setSuspendedAt } from './store.ts';

/** Who gets into a suspended company: those who can pay, and those who can help. */
const payers: readonly EffectiveRole[] = [
  'owner',
  'administrator',
  'billing',
  'org-administrator',
  'platform',
];

/** Why a suspended company keeps someone out; undefined: it doesn't. */
export const suspensionBlock = (
  isSuspended: boolean,
  roles: readonly EffectiveRole[],
): AccessBlock | undefined =>
  isSuspended && !roles.some((role) => payers.includes(role))
    ? { code: 'company.closed_until_paid' }
    : undefined;

/**
 * Suspends a company that doesn't pay, or lets it work again: at once at every door. Done twice,
 * nothing more happens.
 */
export async function setSuspended(t: TxCtx, suspended: boolean): Promise<void> {
  const { companyId } = t;
  if (!(await setSuspendedAt(t.tx, companyId, suspended ? t.now : null))) return;
  await audit(t, suspended ? 'billing.suspended' : 'billing.reactivated', `company:${companyId}`);
  await t.publish(companySuspensionChanged, { companyId, suspended });
  // Their sockets are checked again.
  for (const userId of await activeMembersOf(t.tx, companyId))
    await t.publish(permissionsChanged, { userId }, { userId });
}
