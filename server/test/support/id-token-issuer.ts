import { OAuth2Server } from 'oauth2-mock-server';
import { caddy } from '#contract';
import type { IdentityProviderName } from '#contract/caddy/rules';
import { appleIdTokensOf } from '../../src/adapters/id-tokens-apple/apple.ts';
import { googleIdTokensOf } from '../../src/adapters/id-tokens-google/google.ts';
import type { IdTokenProvider } from '../../src/gateways/id-tokens.ts';
import type { TestApp } from './test-app.ts';

type Claims = Record<string, unknown>;
export const ourClients = ['browser-client', 'phone-client'] as const;

/** Google or Apple, whose keys and tokens come from a server of ours. */
export async function createTokenIssuer(name: IdentityProviderName) {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256', { kid: 'first' });
  await server.start(0, '127.0.0.1');
  const issuer = server.issuer.url!; // started
  const provider = (more: { keys?: string } = {}): IdTokenProvider =>
    (name === 'google' ? googleIdTokensOf : appleIdTokensOf)(ourClients, {
      issuers: [issuer],
      keys: `${issuer}/jwks`,
      anyNetwork: true,
      ...more,
    });
  return {
    server,
    issuer,
    provider,
    /** A token that it signs, whatever it says. */
    token: (claims: Claims, { kid = 'first', expiresIn = 3600 } = {}): Promise<string> =>
      server.issuer.buildToken({
        ...{ kid, expiresIn },
        scopesOrTransform: (_header, payload) =>
          void Object.assign(payload, { aud: ourClients[0] }, claims),
      }),
  };
}

/** A nonce of ours, as a sign-in that starts gets it. */
export const nonceFor = async (app: TestApp, provider: IdentityProviderName): Promise<string> => {
  const { body } = await app.as(null).request(caddy.startCaddyProvider, { params: { provider } });
  return body.data.nonce;
};
