import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { IdentityProviderName } from '#contract/caddy/rules';
import type { IdTokenProvider, IdTokenResult } from '../../gateways/id-tokens.ts';
import { createHttpClient } from '../../platform/http-client/http-client.ts';
import { publicInternet } from '../../platform/http-client/public-connector.ts';
import { fetchThrough } from '../oauth/fetch-through.ts';
import { Claims, personOf } from './claims.ts';

/** What is particular to one provider; all else is OpenID's. */
export interface IdTokenVendor {
  name: IdentityProviderName;
  label: string;
  /** As its tokens name it. */
  issuers: readonly string[];
  authorizationEndpoint: string;
  /** More of the provider's own for its page. */
  parameters: Readonly<Record<string, string>>;
  /** Where its keys are published, or the key. */
  keys: string | JWTVerifyGetKey;
  algorithm: 'RS256' | 'HS256';
  /** Ours there; the first is that of browsers. */
  clientIds: readonly string[];
  /** Now, by which tokens expire. */
  now?: () => Date;
  /** Asks for keys within the operator's own network, too. Tests only. */
  anyNetwork?: true;
}

/** Keys are read again after this, and as soon as a token names another one. */
const KEYS_MS = 60 * 60_000;
/** Tokens that name keys of no one lead to one request in this time. */
const COOLDOWN_MS = 30_000;

/** A provider whose ID tokens are checked against the keys that it publishes. */
export function idTokenProvider(vendor: IdTokenVendor): IdTokenProvider {
  const keys = typeof vendor.keys === 'string' ? publishedKeys(vendor, vendor.keys) : vendor.keys;
  return {
    name: vendor.name,
    label: vendor.label,

    authorizationUrl({ state, nonce, redirectUri }) {
      const url = new URL(vendor.authorizationEndpoint);
      url.search = new URLSearchParams({
        ...vendor.parameters,
        client_id: vendor.clientIds[0] ?? '',
        redirect_uri: redirectUri,
        response_mode: 'form_post',
        state,
        nonce,
      }).toString();
      return url.href;
    },

    async verify(idToken) {
      try {
        const { payload } = await jwtVerify(idToken, keys, {
          issuer: [...vendor.issuers],
          audience: [...vendor.clientIds],
          algorithms: [vendor.algorithm],
          requiredClaims: ['exp', 'iat', 'sub'],
          clockTolerance: 30,
          currentDate: vendor.now?.() ?? new Date(),
        });
        const claims = Claims.safeParse(payload);
        if (!claims.success) return { state: 'refused', reason: 'unreadable claims' };
        const nonce = typeof payload['nonce'] === 'string' ? payload['nonce'] : null;
        return { state: 'known', person: personOf(claims.data), nonce };
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

function publishedKeys(vendor: IdTokenVendor, address: string): JWTVerifyGetKey {
  const http = createHttpClient({
    target: `id-tokens-${vendor.name}`,
    totalMs: 10_000,
    maxBytes: 1_000_000,
    ...(!vendor.anyNetwork && { only: publicInternet }),
  });
  const fetch = fetchThrough(http);
  return createRemoteJWKSet(new URL(address), {
    timeoutDuration: 10_000,
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEYS_MS,
    [customFetch]: (url, { headers, signal }) =>
      fetch(url, { method: 'GET', headers: Object.fromEntries(headers), signal }),
  });
}

/** Errors of reading the keys. All others of the library are the token's. */
const awayErrors = [errors.JWKSTimeout, errors.JWKSInvalid];

function failureOf(error: unknown): IdTokenResult {
  const reason = error instanceof Error ? error.message : String(error);
  const isAway =
    !(error instanceof errors.JOSEError) ||
    // What the key server answered was no success.
    error.code === errors.JOSEError.code ||
    awayErrors.some((away) => error instanceof away);
  return { state: isAway ? 'away' : 'refused', reason };
}
