import type { IdTokenProvider } from '../../gateways/id-tokens.ts';
import { idTokenProvider, type IdTokenVendor } from '../openid/id-tokens.ts';

/**
 * Google accounts. Unverified: built from its public reference, not tried with a live account.
 * @param instead other keys and issuers; tests only
 */
export const googleIdTokensOf = (
  clientIds: readonly string[],
  instead: Partial<IdTokenVendor> = {},
): IdTokenProvider =>
  idTokenProvider({
    ...{ name: 'google', label: 'Google', algorithm: 'RS256', clientIds },
    // Its reference names both.
    issuers: ['https://accounts.google.com', 'accounts.google.com'],
    authorizationEndpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    keys: 'https://www.googleapis.com/oauth2/v3/certs',
    parameters: {
      response_type: 'id_token',
      scope: 'openid email profile',
      // Many people have several accounts, and Google would take the first without asking.
      prompt: 'select_account',
    },
    ...instead,
  });
