import type { IdTokenProvider } from '../../gateways/id-tokens.ts';
import { idTokenProvider, type IdTokenVendor } from '../openid/id-tokens.ts';

/**
 * Apple accounts. The code that comes along is never exchanged, so no key of ours is needed there.
 * Unverified: built from its public reference, not tried with a live account.
 * @param instead other keys and issuers; tests only
 */
export const appleIdTokensOf = (
  clientIds: readonly string[],
  instead: Partial<IdTokenVendor> = {},
): IdTokenProvider =>
  idTokenProvider({
    ...{ name: 'apple', label: 'Apple', algorithm: 'RS256', clientIds },
    issuers: ['https://appleid.apple.com'],
    authorizationEndpoint: 'https://appleid.apple.com/auth/authorize',
    keys: 'https://appleid.apple.com/auth/keys',
    // The token comes only beside a code.
    parameters: { response_type: 'code id_token', scope: 'name email' },
    ...instead,
  });
