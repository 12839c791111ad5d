import { z } from 'zod';
import type { OAuthProvider } from '../../gateways/oauth.ts';
import { parseJson } from '../../platform/http-client/http-client.ts';
import { oauthProvider } from '../oauth/oauth-provider.ts';

/** The operator's app at HubSpot. */
export interface HubspotSettings {
  clientId: string;
  clientSecret: string;
  /** Origin every request goes to instead of HubSpot's own hosts. */
  apiUrl: string | null;
}

const TokenInfo = z.object({
  hub_id: z.number(),
  hub_domain: z.string().nullish(),
  user: z.string().nullish(),
});

/**
 * HubSpot's OAuth, version 1. Unverified: built from its public reference, not tried with a live
 * account.
 */
export function hubspotOAuth({ clientId, clientSecret, apiUrl }: HubspotSettings): OAuthProvider {
  const api = apiUrl ?? 'https://api.hubapi.com';
  const consent = apiUrl ?? 'https://app.hubspot.com';
  return oauthProvider({
    name: 'hubspot',
    label: 'HubSpot',
    endpoints: {
      issuer: api,
      authorization: `${consent}/oauth/authorize`,
      token: `${api}/oauth/v1/token`,
    },
    clientId,
    clientSecret,
    // To create and update contacts.
    scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.contacts.write'],
    ...(api.startsWith('http:') && { onThisMachine: true }),
    account: async (accessToken, http) => {
      const path = `/oauth/v1/access-tokens/${encodeURIComponent(accessToken)}`;
      const { status, body } = await http.request(api + path);
      if (status !== 200) throw new Error(`HubSpot answered ${status}.`);
      const { hub_id, hub_domain, user } = TokenInfo.parse(parseJson(body));
      return {
        externalId: String(hub_id),
        name: hub_domain ?? `HubSpot account ${hub_id}`,
        email: user ?? null,
      };
    },
    revoke: async (refreshToken, http) => {
      const path = `/oauth/v1/refresh-tokens/${encodeURIComponent(refreshToken)}`;
      const { status } = await http.request(api + path, { method: 'DELETE' });
      if (status >= 300 && status !== 404) throw new Error(`HubSpot answered ${status}.`);
    },
  });
}
