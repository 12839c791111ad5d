import { z } from 'zod';
import type {
  IdentityProvider,
  OwnProvider,
  OwnProviders,
  ProviderProblem,
} from '../../gateways/sign-in.ts';
import { createHttpClient } from '../../platform/http-client/http-client.ts';
import { publicInternet } from '../../platform/http-client/public-connector.ts';
import { hashToken } from '../../platform/secrets.ts';
import type { IdentityClaims } from '../openid/claims.ts';
import { openIdProvider } from '../openid/openid-provider.ts';

/** Providers in use whose metadata is kept; beyond it the one longest in it goes. */
const KEPT = 200;

/** What a provider says of itself; more is ignored. */
const Discovery = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  response_types_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});
const Keys = z.object({ keys: z.array(z.unknown()).min(1) });

/** Codes of addresses that the client reaches nobody at: within a network, or at a port of no web server. */
const notPublic = new Set<unknown>(['PRIVATE_ADDRESS', 'NOT_WEB']);

/**
 * Providers that organizations bring themselves. Whatever they name, only the public internet is
 * asked, unless the operator trusts their administrators.
 */
export function ownProviders({ isPrivateAllowed }: { isPrivateAllowed: boolean }): OwnProviders {
  const http = createHttpClient({
    target: 'sign-in-organizations',
    totalMs: 10_000,
    maxBytes: 1_000_000,
    ...(!isPrivateAllowed && { only: publicInternet }),
  });
  const kept = new Map<string, IdentityProvider>();
  const read = async (url: string): Promise<{ problem: ProviderProblem } | { json: unknown }> => {
    try {
      const { status, body } = await http.request(url, { headers: { accept: 'application/json' } });
      if (status === 404 || status === 405) return { problem: { is: 'not_openid' } };
      if (status !== 200) return { problem: { is: 'unreachable', reason: `status ${status}` } };
      return { json: JSON.parse(body.toString('utf8')) as unknown };
    } catch (error) {
      if (error instanceof SyntaxError) return { problem: { is: 'not_openid' } };
      if (notPublic.has((error as { code?: unknown }).code)) return { problem: { is: 'private' } };
      const reason = error instanceof Error ? error.message : String(error);
      return { problem: { is: 'unreachable', reason } };
    }
  };
  return {
    connect(own) {
      const key = hashToken(JSON.stringify(own));
      const provider = kept.get(key) ?? connect(own, isPrivateAllowed);
      kept.delete(key);
      kept.set(key, provider);
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return provider;
    },
    async check(issuer) {
      const base = issuer.replace(/\/$/, '');
      const found = await read(`${base}/.well-known/openid-configuration`);
      if ('problem' in found) return found.problem;
      const said = Discovery.safeParse(found.json);
      if (!said.success) return { is: 'not_openid' };
      const {
        response_types_supported: types,
        code_challenge_methods_supported: challenges,
        ...metadata
      } = said.data;
      if (metadata.issuer !== issuer) return { is: 'other_issuer', issuer: metadata.issuer };
      if (types && !types.includes('code')) return { is: 'no_code_flow' };
      // Left out by some that support it, such as Entra ID.
      if (challenges && !challenges.includes('S256')) return { is: 'no_pkce' };
      const keys = await read(metadata.jwks_uri);
      if ('problem' in keys)
        return keys.problem.is === 'not_openid' ? { is: 'no_keys' } : keys.problem;
      return Keys.safeParse(keys.json).success ? null : { is: 'no_keys' };
    },
  };
}

const connect = (own: OwnProvider, isPrivateAllowed: boolean): IdentityProvider =>
  openIdProvider({
    name: 'sso',
    label: 'Single sign-on',
    issuer: own.issuer,
    clientId: own.clientId,
    clientSecret: own.clientSecret,
    ...(!isPrivateAllowed && { isPublic: true }),
    more: (claims, all) => ({
      own: {
        email: emailOf(claims),
        hostedDomain: claims.hd?.toLowerCase() ?? null,
        groups: groupsOf(all[own.groupsClaim]),
      },
    }),
  });

const emailOf = ({ email, email_verified: isVerified }: IdentityClaims) =>
  email ? { address: email.toLowerCase(), isVerified: isVerified ?? null } : null;

/** A list, or the one that some send as text. */
const groupsOf = (claim: unknown): string[] =>
  z
    .array(z.string().max(300))
    .max(2000)
    .catch(typeof claim === 'string' && claim ? [claim] : [])
    .parse(claim);
