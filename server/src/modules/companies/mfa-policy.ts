import type { EffectiveRole } from '#contract';
import type { AccessBlock } from '../../platform/access.ts';

const administrators: readonly EffectiveRole[] = ['owner', 'administrator', 'org-administrator'];

/**
 * Why a company keeps a person out until they set up a second factor (its setting `require_mfa`:
 * off, admins or all); undefined: it doesn't. For the memberships of every kind of credential.
 */
export function mfaBlock(
  {
    roles,
    switches,
  }: { roles: readonly EffectiveRole[]; switches: Readonly<Record<string, unknown>> },
  hasFactor: boolean,
): AccessBlock | undefined {
  const required = switches['require_mfa'];
  const isAdministrator = roles.some((role) => administrators.includes(role));
  const isAsked = required === 'all' || (required === 'admins' && isAdministrator);
  return isAsked && !hasFactor ? { code: 'mfa.setup_required' } : undefined;
}
