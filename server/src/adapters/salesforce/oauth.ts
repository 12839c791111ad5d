import { z } from 'zod';
import type { OAuthProvider } from '../../gateways/oauth.ts';
import { parseJson } from '../../platform/http-client/http-client.ts';
import { oauthProvider } from '../oauth/oauth-provider.ts';
import type { OAuthApp } from '../shared/oauth-app.ts';

const identity = z.object({
  organization_id: z.string(),
  email: z.string().nullish(),
  urls: z.object({ rest: z.string() }),
});

/**
 * Salesforce's OAuth. Its token answer names no lifetime: a token is used until it is refused. Built from
 * its public reference; no live org has been used.
 */
export function salesforceOAuth({ clientId, clientSecret, apiUrl }: OAuthApp): OAuthProvider {
  const api = apiUrl ?? 'https://login.salesforce.com';
  return oauthProvider({
    name: 'salesforce',
    label: 'Salesforce',
    endpoints: {
      issuer: api,
      authorization: `${api}/services/oauth2/authorize`,
      token: `${api}/services/oauth2/token`,
      revocation: `${api}/services/oauth2/revoke`,
    },
    ...{ clientId, clientSecret },
    scopes: ['api', 'openid', 'refresh_token'],
    ...(api.startsWith('http:') && { onThisMachine: true }),
    account: async (accessToken, http) => {
      const { status, body } = await http.request(`${api}/services/oauth2/userinfo`, {
        method: 'GET',
        headers: { authorization: `Bearer ${accessToken}` },
      });
      if (status !== 200) throw new Error(`Salesforce answered ${status}.`);
      const { organization_id: externalId, email, urls } = identity.parse(parseJson(body));
      // The host of the org is what is asked later, so it is the account's name.
      return { externalId, name: new URL(urls.rest).hostname, email: email ?? null };
    },
  });
}
