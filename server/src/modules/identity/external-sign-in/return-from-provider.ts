import type { SignInOutcome } from '#contract/identity/external-sign-in/outcomes';
import type { ProvenIdentity } from '../../../gateways/sign-in.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { personByEmail, personById } from '../store.ts';
import { browserOf } from './browser-cookie.ts';
import { pageAfter, VISIT_MINUTES } from './rules.ts';
import { identityOf, insertVisit, takeVisit } from './store.ts';
import { secretsOf, wayThrough, type Way } from './visit-provider.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * Takes back the person whom `beginVisit` sent away, and keeps who they are there until this browser
 * finishes. It opens no session yet: that takes a request of our own page.
 * @param callback the query with which the provider sent the person back
 * @returns the page of the app that the browser goes to, with the outcome in its query
 */
export const returnFromProvider = (
  ctx: Ctx,
  http: Http,
  name: string,
  callback: URLSearchParams,
): Promise<string> => returnThrough(ctx, http, wayThrough(ctx, name), callback, whenSigningIn);

/** The same of any provider. `whenSigningIn`: what follows for someone who came to sign in. */
export async function returnThrough(
  ctx: Ctx,
  http: Http,
  way: Way,
  callback: URLSearchParams,
  whenSigningIn: (tx: Tx, identity: ProvenIdentity) => Promise<Proven>,
): Promise<string> {
  const state = callback.get('state') ?? '';
  const browser = browserOf(http, ctx.settings) ?? '';
  const keys = {
    state_hash: hashToken(state),
    browser_hash: hashToken(browser),
    provider: way.name,
  };
  // Used up before the provider is asked: of two returns at once, one asks.
  const visit = await ctx.db.systemTransaction((tx) => takeVisit(tx, { ...keys, now: ctx.now }));
  // Whoever is signed in has probably come from their settings.
  if (!visit) return pageAfter(way, { links: ctx.actor.userId !== 0, next: '/' }, 'expired');
  const answer = await way.provider.identify({
    callback,
    state,
    ...secretsOf(ctx.settings, browser, state),
    redirectUri: way.redirectUri,
  });
  if (answer.state !== 'known') {
    if (answer.state !== 'canceled')
      ctx.log.warn({ provider: way.name, ...answer }, 'a sign-in through a provider failed');
    return pageAfter(way, visit, answer.state);
  }
  const { identity } = answer;
  return ctx.db.systemTransaction(async (tx) => {
    const { outcome, personId, links } = visit.links
      ? whenLinking(identity, visit.person_id)
      : await whenSigningIn(tx, identity);
    if (toBeFinished.has(outcome))
      await insertVisit(tx, {
        ...keys,
        organization_id: way.organizationId,
        groups: identity.own?.groups ?? null,
        links,
        person_id: personId,
        next: visit.next,
        issuer: identity.issuer,
        subject: identity.subject,
        email: identity.own?.email?.address ?? identity.verifiedEmail,
        first_name: identity.firstName,
        last_name: identity.lastName,
        proven_at: ctx.now,
        expires_at: new Date(ctx.now.getTime() + VISIT_MINUTES * 60_000),
      });
    return pageAfter(way, visit, outcome);
  });
}

export interface Proven {
  outcome: SignInOutcome;
  personId: number | null;
  links: boolean;
}

/** Outcomes after which this browser may finish: sign in, link, or sign up with the address. */
const toBeFinished = new Set<SignInOutcome>(['signed_in', 'link', 'linked', 'unknown']);

const whenLinking = (identity: ProvenIdentity, personId: number | null): Proven => ({
  outcome: identity.verifiedEmail ? 'linked' : 'unverified',
  personId,
  links: true,
});

/**
 * Only a link signs in. That the address is the same doesn't: whoever gets it at the provider later
 * would get the account.
 */
async function whenSigningIn(tx: Tx, identity: ProvenIdentity): Promise<Proven> {
  const linked = await identityOf(tx, identity.issuer, identity.subject);
  if (linked) {
    const person = await personById(tx, linked.person_id);
    if (person && !person.disabled_at)
      return { outcome: 'signed_in', personId: person.id, links: false };
    return { outcome: 'refused', personId: null, links: false };
  }
  if (!identity.verifiedEmail) return { outcome: 'unverified', personId: null, links: false };
  const person = await personByEmail(tx, identity.verifiedEmail);
  if (!person) return { outcome: 'unknown', personId: null, links: false };
  if (person.disabled_at) return { outcome: 'refused', personId: null, links: false };
  return { outcome: 'link', personId: person.id, links: true };
}
