import * as oauth from 'oauth4webapi';
import type {
  GrantResult,
  OAuthAccount,
  OAuthProvider,
  OAuthTokens,
} from '../../gateways/oauth.ts';
import { createHttpClient, type HttpClient } from '../../platform/http-client/http-client.ts';
import { publicInternet } from '../../platform/http-client/public-connector.ts';
import { fetchThrough } from './fetch-through.ts';

/** What is particular to one vendor; all else is OAuth's. */
export interface OAuthVendor {
  name: string;
  label: string;
  endpoints: {
    issuer: string;
    authorization: string;
    token: string;
    /** RFC 7009. Left out: there is none. */
    revocation?: string;
  };
  clientId: string;
  clientSecret: string;
  scopes: readonly string[];
  /** More of the vendor's own for its consent page, as `access_type=offline`. */
  authorizationParameters?: Readonly<Record<string, string>>;
  /** More of the vendor's own for its token endpoint, as `user_type=Location`. */
  tokenParameters?: Readonly<Record<string, string>>;
  /** Between scopes; left out: a space, as OAuth has it. */
  scopeSeparator?: ',';
  /** The token endpoint's answer in OAuth's words, where the vendor has its own; left out: it hasn't. */
  inOAuthWords?(body: unknown): { status: number; body: object };
  /** Asks the vendor whose account it is. */
  account(accessToken: string, http: Pick<HttpClient, 'request'>): Promise<OAuthAccount>;
  /** Revokes a token where the vendor has its own way. Throws when that fails. */
  revoke?(token: string, http: Pick<HttpClient, 'request'>): Promise<void>;
  /** The vendor is played on this machine, without TLS. Tests only. */
  onThisMachine?: true;
  /** Milliseconds for one request; left out: 10 seconds. */
  totalMs?: number;
}

/** An OAuth 2 provider that is asked through the product's HTTP client. */
export function oauthProvider(vendor: OAuthVendor): OAuthProvider {
  const http = createHttpClient({
    target: vendor.name,
    totalMs: vendor.totalMs ?? 10_000,
    maxBytes: 1_000_000,
    ...(vendor.onThisMachine ? {} : { only: publicInternet }),
  });
  const server = authorizationServer(vendor);
  const client: oauth.Client = { client_id: vendor.clientId };
  const clientAuth = oauth.ClientSecretPost(vendor.clientSecret);
  const options = {
    [oauth.customFetch]: spokenByVendor(vendor, fetchThrough(http)),
    [oauth.allowInsecureRequests]: vendor.onThisMachine === true,
    ...(vendor.tokenParameters && { additionalParameters: { ...vendor.tokenParameters } }),
  };

  return {
    name: vendor.name,
    label: vendor.label,
    authorizationUrl: (request) => authorizationUrl(vendor, request),

    exchangeCode: ({ callback, state, codeVerifier, redirectUri }) =>
      grantResult(null, async () => {
        const checked = oauth.validateAuthResponse(server, client, callback, state);
        const answer = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          clientAuth,
          checked,
          redirectUri,
          codeVerifier,
          options,
        );
        return oauth.processAuthorizationCodeResponse(server, client, answer);
      }),

    refresh: (refreshToken) =>
      grantResult(refreshToken, async () => {
        const answer = await oauth.refreshTokenGrantRequest(
          server,
          client,
          clientAuth,
          refreshToken,
          options,
        );
        return oauth.processRefreshTokenResponse(server, client, answer);
      }),

    async revoke(token) {
      if (vendor.revoke) return vendor.revoke(token, http);
      if (!vendor.endpoints.revocation) throw new Error(`${vendor.label} revokes no tokens.`);
      const answer = await oauth.revocationRequest(server, client, clientAuth, token, options);
      await oauth.processRevocationResponse(answer);
    },

    account: (accessToken) => vendor.account(accessToken, http),
  };
}

const authorizationServer = ({ endpoints }: OAuthVendor): oauth.AuthorizationServer => ({
  issuer: endpoints.issuer,
  authorization_endpoint: endpoints.authorization,
  token_endpoint: endpoints.token,
  ...(endpoints.revocation && { revocation_endpoint: endpoints.revocation }),
});

function authorizationUrl(
  vendor: OAuthVendor,
  { state, codeChallenge, redirectUri }: Parameters<OAuthProvider['authorizationUrl']>[0],
): string {
  const url = new URL(vendor.endpoints.authorization);
  const parameters = {
    response_type: 'code',
    client_id: vendor.clientId,
    redirect_uri: redirectUri,
    scope: vendor.scopes.join(vendor.scopeSeparator ?? ' '),
    state,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    ...vendor.authorizationParameters,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** The same requests, whose answers are OAuth's whatever the vendor says. */
function spokenByVendor(
  { inOAuthWords }: OAuthVendor,
  ask: ReturnType<typeof fetchThrough>,
): ReturnType<typeof fetchThrough> {
  if (!inOAuthWords) return ask;
  return async (url, request) => {
    const answer = await ask(url, request);
    if (answer.status >= 500 || answer.status === 429) return answer;
    const { status, body } = inOAuthWords(await answer.json().catch(() => null));
    return Response.json(body, { status });
  };
}

/** @param previousRefresh kept where the vendor gives no new one */
async function grantResult(
  previousRefresh: string | null,
  ask: () => Promise<oauth.TokenEndpointResponse>,
): Promise<GrantResult> {
  try {
    const answer = await ask();
    const tokens: OAuthTokens = {
      access: answer.access_token,
      refresh: answer.refresh_token ?? previousRefresh,
    };
    return {
      state: 'granted',
      tokens,
      expiresIn: answer.expires_in ?? null,
      scopes: answer.scope?.split(' ').filter(Boolean) ?? [],
    };
  } catch (error) {
    // The consent page's word, or the token endpoint's: a client error in OAuth's own form.
    if (error instanceof oauth.AuthorizationResponseError || isRefusal(error)) {
      const text = error.error_description ?? error.error;
      return { state: 'refused', code: error.error, text };
    }
    return { state: 'away', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** "Not now" may come in OAuth's form as well. */
const isRefusal = (error: unknown): error is oauth.ResponseBodyError =>
  error instanceof oauth.ResponseBodyError &&
  error.status < 500 &&
  error.status !== 429 &&
  !['temporarily_unavailable', 'server_error', 'slow_down'].includes(error.error);
