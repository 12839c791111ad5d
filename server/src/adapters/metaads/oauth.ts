import { z } from 'zod';
import type { GrantResult, OAuthProvider } from '../../gateways/oauth.ts';
import {
  createHttpClient,
  parseJson,
  type HttpClient,
} from '../../platform/http-client/http-client.ts';
import { publicInternet } from '../../platform/http-client/public-connector.ts';
import { oauthProvider } from '../oauth/oauth-provider.ts';
import type { OAuthApp } from '../shared/oauth-app.ts';

const identity = z.object({ id: z.string(), name: z.string(), email: z.string().nullish() });
const tokenAnswer = z.object({ access_token: z.string(), expires_in: z.number().optional() });
const refusal = z.object({ error: z.looseObject({ code: z.number(), message: z.string() }) });

/** Meta's refusals in the words of OAuth. Codes 100 and 190: the code or token is no longer valid. */
function inOAuthWords(body: unknown): { status: number; body: object } {
  const read = refusal.safeParse(body).data?.error;
  if (!read) return { status: 200, body: z.looseObject({}).parse(body) };
  const isEnded = read.code === 190 || read.code === 100;
  return {
    status: 400,
    body: {
      error: isEnded ? 'invalid_grant' : 'invalid_request',
      error_description: read.message,
    },
  };
}

/** Exchanges a valid token for one of 60 days, which replaces it. */
const extender =
  (
    http: HttpClient,
    url: string,
    { clientId, clientSecret }: Pick<OAuthApp, 'clientId' | 'clientSecret'>,
  ) =>
  async (accessToken: string): Promise<GrantResult> => {
    const form = {
      ...{ grant_type: 'fb_exchange_token', fb_exchange_token: accessToken },
      ...{ client_id: clientId, client_secret: clientSecret },
    };
    try {
      const { body } = await http.request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      });
      const said = inOAuthWords(parseJson(body));
      const { error, error_description: text } = said.body as Record<string, string>;
      if (error) return { state: 'refused', code: error, text: text ?? error };
      const { access_token: access, expires_in } = tokenAnswer.parse(said.body);
      return {
        state: 'granted',
        tokens: { access, refresh: access },
        // Exchanged at half its time: one that is over is exchanged for nothing.
        expiresIn: expires_in === undefined ? null : Math.floor(expires_in / 2),
        scopes: [],
      };
    } catch (error) {
      return { state: 'away', reason: error instanceof Error ? error.message : String(error) };
    }
  };

/**
 * Meta's Facebook Login. It gives no refresh tokens: a token of an hour becomes one of 60 days, which is
 * exchanged for another while it's valid, so an account that sends nothing for 60 days is connected again.
 * Built from its public reference; no live account has been used.
 */
export function metaOAuth({ clientId, clientSecret, apiUrl }: OAuthApp): OAuthProvider {
  const api = apiUrl ?? 'https://graph.facebook.com';
  const isHere = api.startsWith('http:');
  const token = `${api}/v25.0/oauth/access_token`;
  const http = createHttpClient({
    ...{ target: 'metaads', totalMs: 10_000, maxBytes: 1_000_000 },
    ...(isHere ? {} : { only: publicInternet }),
  });
  const ask = async (path: string, method: 'GET' | 'DELETE', accessToken: string) => {
    const headers = { authorization: `Bearer ${accessToken}` };
    const { status, body } = await http.request(`${api}/v25.0/${path}`, { method, headers });
    if (status !== 200) throw new Error(`Meta answered ${status}.`);
    return body;
  };
  const extend = extender(http, token, { clientId, clientSecret });
  const provider = oauthProvider({
    name: 'metaads',
    label: 'Meta Ads',
    endpoints: {
      issuer: api,
      authorization: `${apiUrl ?? 'https://www.facebook.com'}/v25.0/dialog/oauth`,
      token,
    },
    ...{ clientId, clientSecret, inOAuthWords },
    scopes: ['ads_management', 'business_management', 'email'],
    scopeSeparator: ',',
    ...(isHere && { onThisMachine: true }),
    account: async (accessToken) => {
      const body = await ask('me?fields=id,name,email', 'GET', accessToken);
      const { id, name, email } = identity.parse(parseJson(body));
      return { externalId: id, name, email: email ?? null };
    },
    revoke: async (accessToken) => {
      await ask('me/permissions', 'DELETE', accessToken);
    },
  });
  return {
    ...provider,
    exchangeCode: async (request) => {
      const granted = await provider.exchangeCode(request);
      return granted.state === 'granted' ? extend(granted.tokens.access) : granted;
    },
    refresh: extend,
  };
}
