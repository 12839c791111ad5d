import { z } from 'zod';
import type { OAuthProvider } from '../../gateways/oauth.ts';
import { parseJson } from '../../platform/http-client/http-client.ts';
import { oauthProvider } from '../oauth/oauth-provider.ts';
import type { OAuthApp } from '../shared/oauth-app.ts';

/** To post where it isn't a member, and to list channels. */
const scopes = ['chat:write', 'chat:write.public', 'channels:read', 'groups:read'];

const tokenAnswer = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  access_token: z.string().optional(),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
});
const identity = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  team: z.string().optional(),
  team_id: z.string().optional(),
});

/** What Slack means by a refusal that only connecting anew mends. */
const ended = new Set([
  'invalid_refresh_token',
  'token_revoked',
  'invalid_code',
  'bad_redirect_uri',
]);

/**
 * Slack's answers in the words of OAuth: it says 200 to everything, and its tokens are "bot" tokens.
 */
function inOAuthWords(body: unknown): { status: number; body: object } {
  const read = tokenAnswer.safeParse(body).data;
  if (!read?.ok)
    return {
      status: 400,
      body: {
        error: ended.has(read?.error ?? '') ? 'invalid_grant' : (read?.error ?? 'server_error'),
        error_description: `Slack says ${read?.error ?? 'nothing'}.`,
      },
    };
  const { access_token, refresh_token, expires_in, scope } = read;
  return {
    status: 200,
    body: {
      access_token,
      token_type: 'bearer',
      ...(refresh_token && { refresh_token }),
      ...(expires_in && { expires_in }),
      ...(scope && { scope: scope.replaceAll(',', ' ') }),
    },
  };
}

/** Slack's OAuth, version 2. Unverified: built from its public reference, not tried live. */
export function slackOAuth({ clientId, clientSecret, apiUrl }: OAuthApp): OAuthProvider {
  const origin = apiUrl ?? 'https://slack.com';
  const ask = async (
    http: Parameters<Parameters<typeof oauthProvider>[0]['account']>[1],
    method: string,
    token: string,
  ) => {
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await http.request(`${origin}/api/${method}`, {
      method: 'POST',
      headers,
    });
    const read = identity.safeParse(parseJson(body)).data;
    if (status !== 200 || !read?.ok) throw new Error(`Slack says ${read?.error ?? status}.`);
    return read;
  };
  return oauthProvider({
    name: 'slackbot',
    label: 'Slack',
    endpoints: {
      issuer: origin,
      authorization: `${origin}/oauth/v2/authorize`,
      token: `${origin}/api/oauth.v2.access`,
    },
    ...{ clientId, clientSecret, scopes },
    scopeSeparator: ',',
    inOAuthWords,
    ...(origin.startsWith('http:') && { onThisMachine: true }),
    account: async (token, http) => {
      const { team, team_id: id } = await ask(http, 'auth.test', token);
      if (!id) throw new Error('Slack names no workspace.');
      return { externalId: id, name: team ?? id, email: null };
    },
    revoke: async (token, http) => {
      await ask(http, 'auth.revoke', token);
    },
  });
}
