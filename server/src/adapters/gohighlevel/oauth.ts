import { z } from 'zod';
import type { OAuthProvider } from '../../gateways/oauth.ts';
import { parseJson } from '../../platform/http-client/http-client.ts';
import { oauthProvider } from '../oauth/oauth-provider.ts';
import type { OAuthApp } from '../shared/oauth-app.ts';
import { highLevelApi } from './api.ts';

/** What an access token says of itself. It comes from GoHighLevel, so its signature isn't looked at. */
const claims = z.looseObject({ authClass: z.string(), authClassId: z.string() });
const location = z.object({
  location: z.looseObject({ id: z.string(), name: z.string(), email: z.string().nullish() }),
});

function locationOf(accessToken: string): string {
  const [, payload = ''] = accessToken.split('.');
  const read = claims.safeParse(parseJson(Buffer.from(payload, 'base64url'))).data;
  if (read?.authClass !== 'Location')
    throw new Error('An agency was connected, not a sub-account.');
  return read.authClassId;
}

/**
 * GoHighLevel's OAuth for a sub-account (location). It has no way to revoke a token: a person uninstalls
 * the app there. Tokens are checked against its own document; no live account has been used.
 */
export function highLevelOAuth({ clientId, clientSecret, apiUrl }: OAuthApp): OAuthProvider {
  const api = apiUrl ?? highLevelApi;
  return oauthProvider({
    name: 'gohighlevel',
    label: 'GoHighLevel',
    endpoints: {
      issuer: api,
      authorization: `${apiUrl ?? 'https://marketplace.gohighlevel.com'}/oauth/chooselocation`,
      token: `${api}/oauth/token`,
    },
    ...{ clientId, clientSecret },
    tokenParameters: { user_type: 'Location' },
    scopes: [
      ...['contacts.readonly', 'contacts.write'],
      ...['opportunities.readonly', 'opportunities.write'],
      ...['locations.readonly', 'locations/tags.readonly', 'locations/customFields.readonly'],
    ],
    ...(api.startsWith('http:') && { onThisMachine: true }),
    account: async (accessToken, http) => {
      const id = locationOf(accessToken);
      const { status, body } = await http.request(`${api}/locations/${encodeURIComponent(id)}`, {
        method: 'GET',
        headers: { authorization: `Bearer ${accessToken}`, version: '2021-07-28' },
      });
      if (status !== 200) throw new Error(`GoHighLevel answered ${status}.`);
      const { name, email } = location.parse(parseJson(body)).location;
      return { externalId: id, name, email: email ?? null };
    },
  });
}
