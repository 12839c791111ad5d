import type { EffectiveRole } from '../../permissions.ts';
import { grantOf } from '../../permissions.ts';
import { scopes, type Scope } from '../scopes.ts';

const scopesOfUsers: readonly Scope[] = ['read', 'write', 'messages:send', 'calls:place'];

/**
 * What an API key of a person with this role may be allowed at all (A4 "API keys"); empty: people
 * with this role have no keys. A key that was given more when its owner had another role keeps only
 * these.
 */
export function scopesForRole(role: EffectiveRole): readonly Scope[] {
  if (role === 'platform' || grantOf(role, 'apiKeys.own') === 'none') return [];
  if (role === 'reporting') return ['read'];
  return role === 'user' ? scopesOfUsers : scopes;
}
