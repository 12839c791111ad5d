import type { IdentityProvider } from '../../gateways/sign-in.ts';
import type { SignInApp } from '../openid/credentials.ts';
import { openIdProvider, type OpenIdVendor } from '../openid/openid-provider.ts';

/**
 * Google accounts. Unverified: built from its public reference, not tried with a live account.
 * @param fetch tests only
 */
export const googleIdentities = (
  app: SignInApp,
  fetch?: NonNullable<OpenIdVendor['fetch']>,
): IdentityProvider =>
  openIdProvider({
    name: 'google',
    label: 'Google',
    issuer: 'https://accounts.google.com',
    ...app,
    // Many people have several accounts, and Google would take the first without asking.
    authorizationParameters: { prompt: 'select_account' },
    isPublic: true,
    ...(fetch && { fetch }),
  });
