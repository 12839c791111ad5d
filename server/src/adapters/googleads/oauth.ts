import { z } from 'zod';
import type { OAuthProvider } from '../../gateways/oauth.ts';
import { parseJson } from '../../platform/http-client/http-client.ts';
import { oauthProvider } from '../oauth/oauth-provider.ts';
import type { OAuthApp } from '../shared/oauth-app.ts';

const identity = z.object({
  sub: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
});

/**
 * Google's OAuth for its advertising APIs. Built from its public reference; no live account has been used.
 * @param looksUp whether lists are read by the Google Ads API, which needs a scope of its own
 */
export function googleAdsOAuth(
  { clientId, clientSecret, apiUrl }: OAuthApp,
  { looksUp }: { looksUp: boolean },
): OAuthProvider {
  const api = apiUrl ?? 'https://oauth2.googleapis.com';
  return oauthProvider({
    name: 'googleads',
    label: 'Google Ads',
    endpoints: {
      issuer: apiUrl ?? 'https://accounts.google.com',
      authorization: `${apiUrl ?? 'https://accounts.google.com'}/o/oauth2/v2/auth`,
      token: `${api}/token`,
      revocation: `${api}/revoke`,
    },
    ...{ clientId, clientSecret },
    scopes: [
      ...['openid', 'email', 'profile'],
      'https://www.googleapis.com/auth/datamanager',
      ...(looksUp ? ['https://www.googleapis.com/auth/adwords'] : []),
    ],
    // Google gives a refresh token only where it is asked for, with consent each time.
    authorizationParameters: { access_type: 'offline', prompt: 'consent' },
    ...(api.startsWith('http:') && { onThisMachine: true }),
    account: async (accessToken, http) => {
      const url = `${apiUrl ?? 'https://openidconnect.googleapis.com'}/v1/userinfo`;
      const headers = { authorization: `Bearer ${accessToken}` };
      const { status, body } = await http.request(url, { method: 'GET', headers });
      if (status !== 200) throw new Error(`Google answered ${status}.`);
      const { sub, name, email } = identity.parse(parseJson(body));
      return { externalId: sub, name: name ?? email ?? sub, email: email ?? null };
    },
  });
}
