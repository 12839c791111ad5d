import type { ApiErrorCode, EffectiveRole } from '#contract';

const administrators: readonly EffectiveRole[] = ['owner', 'administrator', 'org-administrator'];

/**
 * Why a company keeps a person out until they set up a second factor (its setting `require_mfa`:
 * off, admins or all); undefined: it doesn't. For the memberships of every kind of credential.
 */
export function mfaBlock(
  { role, switches }: { role: EffectiveRole; switches: Readonly<Record<string, unknown>> },
  hasFactor: boolean,
): ApiErrorCode | undefined {
  const required = switches['require_mfa'];
  const isAsked = required === 'all' || (required === 'admins' && administrators.includes(role));
  return isAsked && !hasFactor ? 'mfa.setup_required' : undefined;
}
