import { z } from 'zod';
import type { OAuthProvider } from '../../gateways/oauth.ts';
import { parseJson } from '../../platform/http-client/http-client.ts';
import { oauthProvider } from '../oauth/oauth-provider.ts';
import type { OAuthApp } from '../shared/oauth-app.ts';
import { customerApi, microsoftRequest } from './api.ts';

const user = z.object({
  User: z.looseObject({
    Id: z.union([z.string(), z.number()]).transform(String),
    UserName: z.string().nullish(),
    ContactInfo: z.looseObject({ Email: z.string().nullish() }).nullish(),
  }),
});

/**
 * Microsoft's OAuth for its advertising API. It has no way to revoke a token: a person removes the app at
 * microsoft.com. Built from its public reference; no live account has been used.
 */
export function microsoftAdsOAuth(
  { clientId, clientSecret, apiUrl }: OAuthApp,
  developerToken: string,
): OAuthProvider {
  const signIn = `${apiUrl ?? 'https://login.microsoftonline.com'}/common/oauth2/v2.0`;
  return oauthProvider({
    name: 'microsoftads',
    label: 'Microsoft Ads',
    endpoints: {
      issuer: apiUrl ?? 'https://login.microsoftonline.com',
      authorization: `${signIn}/authorize`,
      token: `${signIn}/token`,
    },
    ...{ clientId, clientSecret },
    scopes: ['https://ads.microsoft.com/msads.manage', 'offline_access'],
    ...(apiUrl?.startsWith('http:') && { onThisMachine: true }),
    account: async (accessToken, http) => {
      const request = microsoftRequest(
        developerToken,
        `${apiUrl ? `${apiUrl}/CustomerManagement/v13` : customerApi}/User/Query`,
        { UserId: null },
      );
      const { status, body } = await http.request(request.url, {
        method: 'POST',
        headers: { ...request.headers, authorization: `Bearer ${accessToken}` },
        body: request.body,
      });
      if (status !== 200) throw new Error(`Microsoft answered ${status}.`);
      const {
        Id: externalId,
        UserName: name,
        ContactInfo: contact,
      } = user.parse(parseJson(body)).User;
      const email = contact?.Email ?? null;
      return { externalId, name: name ?? email ?? externalId, email };
    },
  });
}
