import { oauthProviders } from '#contract/connections/schemas';
import type { OAuthProvider } from '../../gateways/oauth.ts';
import type { GatewayServices } from '../adapter.ts';
import { accountOfToken, exchange, renew, revokeGrant } from './grants.ts';

export type ProviderName = keyof typeof oauthProviders;
export const providerNames = Object.keys(oauthProviders) as ProviderName[];

/**
 * Every provider, simulated: consent page, tokens that expire and rotate, revocation. One whose real
 * client ID and secret are set comes before it.
 */
export const sandboxOAuth = (services: GatewayServices): OAuthProvider[] =>
  providerNames.map((name) => simulated(name, services));

function simulated(
  name: ProviderName,
  { db, settings, now }: Pick<GatewayServices, 'db' | 'settings' | 'now'>,
): OAuthProvider {
  return {
    name,
    label: oauthProviders[name],
    authorizationUrl({ state, codeChallenge, redirectUri }) {
      // The address is known once the server listens.
      const url = new URL(`/sandbox/oauth/${name}/authorize`, settings.publicUrl);
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: 'trunkline',
        redirect_uri: redirectUri,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },
    async exchangeCode({ callback, state, codeVerifier, redirectUri }) {
      const error = callback.get('error');
      if (callback.get('state') !== state)
        return { state: 'refused', code: 'invalid_request', text: 'The state is another one.' };
      if (error) return { state: 'refused', code: error, text: error };
      return exchange(
        db,
        name,
        { code: callback.get('code') ?? '', codeVerifier, redirectUri },
        now(),
      );
    },
    refresh: (refreshToken) => renew(db, name, refreshToken, now()),
    revoke: async (token) => {
      await revokeGrant(db, token, now());
    },
    async account(accessToken) {
      const account = await accountOfToken(db, name, accessToken, now());
      if (!account) throw new Error('The access token isn’t valid.');
      return account;
    },
  };
}
