import type { Answer, externalSignIn as contract } from '#contract';
import type { IdentityProvider } from '../../../gateways/sign-in.ts';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken, randomToken, sign } from '../../../platform/secrets.ts';
import type { Settings } from '../../../platform/settings.ts';
import { setBrowserCookie } from './browser-cookie.ts';
import { pageAfter, pageOfApp, VISIT_MINUTES } from './rules.ts';
import { insertVisit } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/** The provider of this name. Fails with `sign_in.unknown_provider` unless it is set up. */
const providerNamed = (ctx: Pick<Ctx, 'gateways'>, name: string): IdentityProvider =>
  ctx.gateways.signIn.get(name) ?? fail('sign_in.unknown_provider');

/** A provider, and how a visit to it comes back. */
export interface Way {
  /** As stored, and as pages of the app are told. */
  name: string;
  provider: IdentityProvider;
  /** As people read it. */
  label: string;
  redirectUri: string;
  /** Whose own provider it is; null: the installation's. */
  organizationId: number | null;
}

/** A provider of the installation. Fails with `sign_in.unknown_provider` unless it is set up. */
export const wayThrough = (ctx: Pick<Ctx, 'gateways' | 'settings'>, name: string): Way => {
  const provider = providerNamed(ctx, name);
  const redirectUri = redirectUriOf(ctx.settings, name);
  return { name, provider, label: provider.label, redirectUri, organizationId: null };
};

/** The providers that the sign-in page offers. */
export const listSignInProviders = async (
  ctx: Ctx,
): Promise<Answer<typeof contract.listSignInProviders>> => ({
  data: [...ctx.gateways.signIn.values()].map(({ name, label }) => ({ provider: name, label })),
});

/**
 * Where the browser goes to sign in: the provider's page, or back to our own with the outcome `away`.
 * The provider sends people to PUBLIC_URL, and the cookie must be of that address: a browser that
 * came by another moves there first, once.
 */
export async function redirectToSignInProvider(
  ctx: Ctx,
  http: Http,
  provider: string,
  query: { next?: string | undefined; on?: string | undefined },
): Promise<string> {
  return redirectTo(ctx, http, wayThrough(ctx, provider), query);
}

/** The same of any provider, whose redirect URI has `callback` where this address has `redirect`. */
export async function redirectTo(
  ctx: Ctx,
  http: Http,
  way: Way,
  query: { next?: string | undefined; on?: string | undefined },
): Promise<string> {
  const next = pageOfApp(query.next);
  if (http.request.host !== new URL(ctx.settings.publicUrl).host && query.on === undefined) {
    const here = new URLSearchParams({ next, on: 'public' });
    return `${way.redirectUri.replace(/callback$/, 'redirect')}?${here.toString()}`;
  }
  const url = await beginVisit(ctx, http, way, { links: false, personId: null, next });
  return url ?? pageAfter(way, { links: false, next }, 'away');
}

/** Begins to link a provider to the signed-in person. Fails with `sign_in.provider_away`. */
export async function startLinkingSignIn(
  ctx: Ctx,
  http: Http,
  name: string,
): Promise<Answer<typeof contract.startLinkingSignIn>> {
  const way = wayThrough(ctx, name);
  const visit = { links: true, personId: ctx.actor.userId, next: '/' };
  const url = await beginVisit(ctx, http, way, visit);
  return { data: { url: url ?? fail('sign_in.provider_away', { provider: way.label }) } };
}

/** Stores the visit and gives the browser its cookie; null: the provider can't be asked. */
async function beginVisit(
  ctx: Ctx,
  http: Http,
  way: Way,
  visit: { links: boolean; personId: number | null; next: string },
): Promise<string | null> {
  const [browser, state] = [randomToken('tlb'), randomToken('tlx')];
  const url = await way.provider.authorizationUrl({
    state,
    ...secretsOf(ctx.settings, browser, state),
    redirectUri: way.redirectUri,
  });
  if (!url) return null;
  await ctx.db.systemTransaction((tx) =>
    insertVisit(tx, {
      state_hash: hashToken(state),
      browser_hash: hashToken(browser),
      provider: way.name,
      organization_id: way.organizationId,
      links: visit.links,
      person_id: visit.personId,
      next: visit.next,
      expires_at: new Date(ctx.now.getTime() + VISIT_MINUTES * 60_000),
    }),
  );
  setBrowserCookie(http, ctx.settings, browser);
  return url;
}

/** Where the provider sends people back to, as the operator has entered it there. */
const redirectUriOf = ({ publicUrl }: Pick<Settings, 'publicUrl'>, provider: string) =>
  `${publicUrl}/api/oauth/${provider}/callback`;

/**
 * Nonce and PKCE verifier of a visit. They follow from what only the browser holds and what only we
 * hold, so nothing that opens a visit is stored.
 */
export const secretsOf = (
  { appSecret }: Pick<Settings, 'appSecret'>,
  browser: string,
  state: string,
) => ({
  nonce: sign(appSecret, `sign-in nonce:${browser}:${state}`),
  codeVerifier: sign(appSecret, `sign-in verifier:${browser}:${state}`),
});
