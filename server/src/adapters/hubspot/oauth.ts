import { z } from 'zod';
import type { OAuthProvider } from '../../gateways/oauth.ts';
import { parseJson } from '../../platform/http-client/http-client.ts';
import { oauthProvider } from '../oauth/oauth-provider.ts';
import type { OAuthApp } from '../shared/oauth-app.ts';

const tokenInfo = z.object({
  hub_id: z.number(),
  hub_domain: z.string().nullish(),
  user: z.string().nullish(),
});
const refusal = z.looseObject({
  error: z.string().optional(),
  status: z.string().optional(),
  category: z.string().optional(),
  message: z.string().optional(),
});

/** HubSpot's refusals in the words of OAuth: it has a form of its own for errors. */
function inOAuthWords(body: unknown): { status: number; body: object } {
  const isGranted = z.looseObject({ access_token: z.string() }).safeParse(body).success;
  if (isGranted) return { status: 200, body: z.looseObject({}).parse(body) };
  const read = refusal.safeParse(body).data ?? {};
  if (read.error) return { status: 400, body: read };
  const text = read.message ?? 'HubSpot refused it.';
  // The app was removed from the account, or the token is an old one.
  const isEnded = /BAD_REFRESH_TOKEN|BAD_AUTH_CODE|(refresh.?token|auth.?code)/i.test(
    `${read.status} ${text}`,
  );
  return {
    status: 400,
    body: { error: isEnded ? 'invalid_grant' : 'invalid_request', error_description: text },
  };
}

/**
 * HubSpot's OAuth, version 3. Its requests are checked against HubSpot's own document; not tried with
 * a live account.
 */
export function hubspotOAuth({ clientId, clientSecret, apiUrl }: OAuthApp): OAuthProvider {
  const api = apiUrl ?? 'https://api.hubapi.com';
  const consent = apiUrl ?? 'https://app.hubspot.com';
  type Http = Parameters<Parameters<typeof oauthProvider>[0]['account']>[1];
  /** Tokens are named in bodies only: addresses are logged on the way. */
  const post = (http: Http, path: string, token: string, hint: 'access_token' | 'refresh_token') =>
    http.request(api + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...{ token, token_type_hint: hint },
        ...{ client_id: clientId, client_secret: clientSecret },
      }).toString(),
    });
  return oauthProvider({
    name: 'hubspot',
    label: 'HubSpot',
    endpoints: {
      issuer: api,
      authorization: `${consent}/oauth/authorize`,
      token: `${api}/oauth/v3/token`,
    },
    clientId,
    clientSecret,
    scopes: [
      'oauth',
      // Contacts with their calls and texts.
      'crm.objects.contacts.read',
      'crm.objects.contacts.write',
      // To choose from.
      'crm.objects.owners.read',
      'crm.schemas.contacts.read',
    ],
    inOAuthWords,
    ...(api.startsWith('http:') && { onThisMachine: true }),
    account: async (accessToken, http) => {
      const path = '/oauth/v3/token/introspect';
      const { status, body } = await post(http, path, accessToken, 'access_token');
      if (status !== 200) throw new Error(`HubSpot answered ${status}.`);
      const { hub_id, hub_domain, user } = tokenInfo.parse(parseJson(body));
      return {
        externalId: String(hub_id),
        name: hub_domain ?? `HubSpot account ${hub_id}`,
        email: user ?? null,
      };
    },
    revoke: async (refreshToken, http) => {
      const { status } = await post(http, '/oauth/v3/token/revoke', refreshToken, 'refresh_token');
      if (status >= 300 && status !== 404) throw new Error(`HubSpot answered ${status}.`);
    },
  });
}
