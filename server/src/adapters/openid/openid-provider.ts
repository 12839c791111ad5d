import * as oidc from 'openid-client';
import type { IdentityProvider, IdentityResult, ProvenIdentity } from '../../gateways/sign-in.ts';
import { createHttpClient } from '../../platform/http-client/http-client.ts';
import { publicInternet } from '../../platform/http-client/public-connector.ts';
import { fetchThrough } from '../oauth/fetch-through.ts';
import { Claims, personOf, type IdentityClaims } from './claims.ts';

/** What is particular to one provider; all else is OpenID's. */
export interface OpenIdVendor {
  name: string;
  label: string;
  /** Its metadata is read from there. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** More of the provider's own for its sign-in page, as `prompt=select_account`. */
  authorizationParameters?: Readonly<Record<string, string>>;
  /** Whether the address is proven to be this person's. Left out: as `email_verified` says. */
  hasVerifiedEmail?(claims: IdentityClaims): boolean;
  /** Why this person isn't one who may come from there, for the log; null: they may. */
  refusal?(claims: IdentityClaims): string | null;
  /** More of what its claims say, for its caller. */
  more?(claims: IdentityClaims, all: Record<string, unknown>): Partial<ProvenIdentity>;
  /** Only addresses of the internet are asked. Otherwise also those of the operator's own network. */
  isPublic?: true;
  /** Instead of the product's HTTP client. Tests only. */
  fetch?: oidc.CustomFetch;
}

/** Metadata is read again after this, so that a provider's new endpoints are found. */
const METADATA_MS = 60 * 60_000;
/** Answers that can't be this provider's, or not to this question. The rest: it can't be asked. */
const refusedCodes = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_RESPONSE_BODY_ERROR',
  'OAUTH_KEY_SELECTION_FAILED',
]);

/** A provider of identities that is asked through the product's HTTP client. */
export function openIdProvider(vendor: OpenIdVendor): IdentityProvider {
  const configuration = cachedConfiguration(vendor);
  return {
    name: vendor.name,
    label: vendor.label,

    async authorizationUrl({ state, nonce, codeVerifier, redirectUri }) {
      const config = await configuration().catch(() => null);
      if (!config) return null;
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...vendor.authorizationParameters,
      }).href;
    },

    async identify({ callback, state, nonce, codeVerifier, redirectUri }) {
      try {
        const config = await configuration();
        const tokens = await oidc.authorizationCodeGrant(
          config,
          new URL(`${redirectUri}?${callback.toString()}`),
          {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: codeVerifier,
            idTokenExpected: true,
          },
        );
        const all = await claimsOf(config, tokens);
        const claims = Claims.safeParse(all);
        if (!claims.success) return { state: 'refused', reason: 'unreadable claims' };
        const refusal = vendor.refusal?.(claims.data) ?? null;
        if (refusal !== null) return { state: 'refused', reason: refusal };
        return {
          state: 'known',
          identity: {
            issuer: claims.data.iss,
            ...personOf(claims.data, vendor.hasVerifiedEmail?.(claims.data)),
            ...vendor.more?.(claims.data, all),
          },
        };
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

/** The provider's metadata, read when it is first needed and again each hour. A failure isn't kept. */
function cachedConfiguration(vendor: OpenIdVendor): () => Promise<oidc.Configuration> {
  const http = createHttpClient({
    target: `sign-in-${vendor.name}`,
    totalMs: 10_000,
    maxBytes: 1_000_000,
    ...(vendor.isPublic && { only: publicInternet }),
  });
  let kept: { at: number; configuration: Promise<oidc.Configuration> } | null = null;
  return () => {
    if (kept && Date.now() - kept.at < METADATA_MS) return kept.configuration;
    const configuration = oidc.discovery(
      new URL(vendor.issuer),
      vendor.clientId,
      undefined,
      oidc.ClientSecretPost(vendor.clientSecret),
      {
        [oidc.customFetch]: vendor.fetch ?? fetchThrough(http),
        execute: [
          // Off by default: the library trusts TLS to the token endpoint.
          oidc.enableNonRepudiationChecks,
          // Adapters take an address without TLS only of this very machine.
          ...(vendor.issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : []),
        ],
      },
    );
    const mine = { at: Date.now(), configuration };
    kept = mine;
    configuration.catch(() => {
      if (kept === mine) kept = null;
    });
    return configuration;
  };
}

/** Of the ID token; what it leaves out (OpenID Connect 5.4 allows that) the provider is asked for. */
async function claimsOf(
  config: oidc.Configuration,
  tokens: Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>,
): Promise<Record<string, unknown>> {
  const claims = tokens.claims();
  if (!claims) return {};
  const { sub } = claims;
  if (claims['email'] !== undefined) return claims;
  if (!config.serverMetadata().userinfo_endpoint) return claims;
  const more = await oidc.fetchUserInfo(config, tokens.access_token, sub);
  // Who they are is signed in the ID token; this only adds to it.
  return { ...more, ...claims };
}

function failureOf(error: unknown): IdentityResult {
  if (error instanceof oidc.AuthorizationResponseError)
    return error.error === 'access_denied'
      ? { state: 'canceled' }
      : { state: 'refused', reason: error.error };
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof oidc.ResponseBodyError && error.status >= 500)
    return { state: 'away', reason };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return { state: refusedCodes.has(code) ? 'refused' : 'away', reason };
}
