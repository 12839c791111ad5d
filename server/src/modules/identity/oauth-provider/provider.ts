import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type Provider from 'oidc-provider';
import type { Configuration, JWKS } from 'oidc-provider';
import { identity } from '#contract';
import type { Services } from '../../../platform/context.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { seal, sign, unseal } from '../../../platform/secrets.ts';
import { personById } from '../store.ts';
import { fullName } from '../rules.ts';
import { loadOidcProvider, type OidcLibrary } from './load-library.ts';
import { fetchFromPublicInternet } from './guarded-fetch.ts';
import { recordsOf } from './provider-records.ts';
import { signingKey } from './store-oauth.ts';
import { ACCESS_SECONDS, GRANT_DAYS, REFRESH_DAYS } from './rules.ts';

// The system role: people, sign-in codes and sessions belong to no company.

const providers = new WeakMap<object, Promise<Provider>>();

/** The OpenID provider of this installation, made on first use. */
export function providerOf(services: Services): Promise<Provider> {
  // Contexts are copies of the services: the settings are the same object in all of them.
  const known = providers.get(services.settings);
  if (known) return known;
  const made = createProvider(services);
  providers.set(services.settings, made);
  // The next request tries again.
  made.catch(() => providers.delete(services.settings));
  return made;
}

async function createProvider(services: Services): Promise<Provider> {
  const library = await loadOidcProvider();
  const provider = new library.default(services.settings.publicUrl, {
    ...lifetimes,
    ...interactions(services, library.interactionPolicy),
    ...features(services),
    adapter: recordsOf(services, library.errors),
    jwks: await signingKeys(services),
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub'], email: ['email'], profile: ['name', 'given_name', 'family_name'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, origin, client) =>
      (client.redirectUris ?? []).some((uri) => new URL(uri).origin === origin),
    cookies: {
      keys: services.settings.appSecrets.map((secret) => sign(secret, 'oauth cookies')),
      names: {
        session: 'trunkline_oauth_session',
        interaction: 'trunkline_oauth',
        resume: 'trunkline_oauth_resume',
      },
      // The consent screen and its API have different paths; both need the cookie.
      short: { path: '/', signed: true, httpOnly: true, sameSite: 'lax' },
      long: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    findAccount: (_ctx, sub) => findAccount(services, sub),
    fetch: fetchFromPublicInternet,
    renderError: (ctx, out) => {
      ctx.type = 'html';
      const reason = escapeHtml(out.error_description ?? out.error);
      ctx.body = `<!doctype html><meta charset="utf-8"><title>Can’t connect</title><h1>Can’t connect this application</h1><p>${reason}</p><p>Go back to the application and try again, or contact its maker.</p>`;
    },
  });
  // Addresses come from PUBLIC_URL, which the mount sets on each request, not from the connection.
  provider.proxy = true;
  provider.on('server_error', (_ctx, error) => services.log.error({ err: error }, 'OAuth failed'));
  return provider;
}

/** Who a token stands for, and what OpenID tells of them. Undefined: nobody, or disabled. */
export async function findAccount(services: Pick<Services, 'db'>, sub: string) {
  const person = await personById(services.db.unscoped, Number(sub));
  if (!person || person.disabled_at) return undefined;
  const claims = {
    sub,
    email: person.email,
    name: fullName(person),
    given_name: person.first_name,
    family_name: person.last_name,
  };
  return { accountId: sub, claims: async () => claims };
}

const lifetimes = {
  ttl: {
    AccessToken: ACCESS_SECONDS,
    AuthorizationCode: 60,
    RefreshToken: REFRESH_DAYS * 86_400,
    Grant: GRANT_DAYS * 86_400,
    IdToken: ACCESS_SECONDS,
    Interaction: 3600,
    Session: 3600,
  },
  rotateRefreshToken: true,
  issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
  // Access lasts until it is revoked, not as long as a window is open.
  expiresWithSession: async () => false,
} satisfies Configuration;

/** Each request is confirmed on our screen, by whoever is signed in to the app at that moment. */
function interactions(
  { settings }: Services,
  interactionPolicy: OidcLibrary['interactionPolicy'],
): Configuration {
  const policy = interactionPolicy.base();
  const { Check } = interactionPolicy;
  policy
    .get('login')
    ?.checks.add(
      new Check('login_here', 'The person confirms who they are in the app', (ctx) =>
        ctx.oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
      ),
    );
  return {
    interactions: { policy, url: () => `${settings.publicUrl}/oauth/consent` },
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId;
      return grantId ? ctx.oidc.provider.Grant.find(grantId) : undefined;
    },
  };
}

/** Our scopes belong to our API as a resource: as OpenID scopes they would ask for consent forever. */
function features({ settings }: Services): Configuration {
  const resource = `${settings.publicUrl}/api`;
  return {
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      pushedAuthorizationRequests: { enabled: false },
      registration: { enabled: settings.oauthDynamicRegistration },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: identity.scopes.join(' '),
          audience: resource,
          accessTokenTTL: ACCESS_SECONDS,
          accessTokenFormat: 'opaque',
        }),
      },
    },
  };
}

/** The key of this installation, made once and shared by all processes. */
async function signingKeys({ db, settings }: Services): Promise<JWKS> {
  const stored = await signingKey(db.unscoped);
  const sealed = stored ?? (await signingKey(db.unscoped, await newSigningKey(settings)));
  const key = JSON.parse(unseal(settings.appSecrets, sealed ?? '')) as JWKS['keys'][number];
  return { keys: [key] };
}

async function newSigningKey({ appSecrets }: Services['settings']): Promise<string> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const jwk = { ...pair.privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
  return seal(appSecrets, JSON.stringify(jwk));
}
