import type { Answer, Body, sso as contract } from '#contract';
import type { OwnProvider, ProvenIdentity } from '../../../gateways/sign-in.ts';
import { auditPerson } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken, unseal } from '../../../platform/secrets.ts';
import {
  browserOf,
  clearBrowserCookie,
  completeSignIn,
  createPerson,
  createSipCredentials,
  ownIdentityOf,
  ownName,
  personByEmail,
  personById,
  putOwnIdentity,
  redirectTo,
  returnThrough,
  takeProven,
  type PersonRow,
  type Proven,
  type Way,
} from '../../identity/index.ts';
import { organizationRow } from '../organizations/store.ts';
import { isKnownOutside } from '../users/store.ts';
import { groupsOfUser, scimUserOfPerson } from '../scim/store.ts';
import { accessOf, applyAccess } from './apply-access.ts';
import { ssoRedirectUri } from './connection.ts';
import { domainOf, GOOGLE, ssoPath } from './rules.ts';
import { connectionOf, proverOf } from './store.ts';
import { markConnectionUsed } from './store-only.ts';
import { accessRules, placeIn, wayOfDomain } from './store-sign-in.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/** The organization whose provider speaks for an address; null: none. It doesn't say who has an account. */
export async function findSso(
  ctx: Ctx,
  { email }: Body<typeof contract.findSso>,
): Promise<Answer<typeof contract.findSso>> {
  const way = await wayOfDomain(ctx.db.unscoped, domainOf(email.trim()));
  if (!way) return { data: null };
  return {
    data: {
      organization: way.name,
      url: ssoPath(way.organization_id),
      is_required: way.is_required,
    },
  };
}

/** An organization's own provider. Fails with `sign_in.unknown_provider` unless it is connected. */
async function wayOf(ctx: Ctx, organizationId: number): Promise<Way> {
  const db = ctx.db.unscoped;
  const connection = await connectionOf(db, organizationId);
  const organization = connection && (await organizationRow(db, organizationId));
  if (!organization) return fail('sign_in.unknown_provider');
  const own: OwnProvider = {
    issuer: connection.issuer,
    clientId: connection.client_id,
    clientSecret: unseal(ctx.settings.appSecrets, connection.secret_sealed),
    groupsClaim: connection.groups_claim,
  };
  return {
    name: ownName(organizationId),
    provider: ctx.gateways.ownProviders.connect(own),
    label: organization.name,
    redirectUri: ssoRedirectUri(ctx.settings, organizationId),
    organizationId,
  };
}

/** Where the browser goes to sign in through an organization's provider. */
export const redirectToSso = async (
  ctx: Ctx,
  http: Http,
  organizationId: number,
  query: { next?: string | undefined; on?: string | undefined },
): Promise<string> => redirectTo(ctx, http, await wayOf(ctx, organizationId), query);

/** Takes back whom `redirectToSso` sent away; the page of the app that the browser goes to. */
export const returnFromSso = async (
  ctx: Ctx,
  http: Http,
  organizationId: number,
  callback: URLSearchParams,
): Promise<string> =>
  returnThrough(ctx, http, await wayOf(ctx, organizationId), callback, (tx, identity) =>
    whenSigningIn(tx, organizationId, identity),
  );

const refuse = (outcome: Proven['outcome']): Proven => ({ outcome, personId: null, links: false });

/**
 * What follows for someone who came through an organization's provider. The organization speaks for
 * accounts with an address at its proven domains, and for them only. Where such an account reaches
 * further than the organization, or owns it, the person confirms once by signing in as before: the
 * provider's administrators would get more than is theirs.
 */
async function whenSigningIn(
  tx: Tx,
  organizationId: number,
  { issuer, subject, own }: ProvenIdentity,
): Promise<Proven> {
  if (!own) return refuse('refused');
  const isProven = async (domain: string): Promise<boolean> =>
    (await proverOf(tx, domain))?.organization_id === organizationId;
  // Anyone can have a Google account with a work address; the claim says whose account it is.
  if (issuer === GOOGLE && !(own.hostedDomain && (await isProven(own.hostedDomain))))
    return refuse('other_domain');
  const linked = await ownIdentityOf(tx, { organization_id: organizationId, issuer, subject });
  if (!linked && (!own.email || own.email.isVerified === false)) return refuse('unverified');
  const person = linked
    ? await personById(tx, linked.person_id)
    : await personByEmail(tx, own.email?.address ?? '');
  const address = person?.email ?? own.email?.address ?? '';
  if (!(await isProven(domainOf(address)))) return refuse('other_domain');
  if (!person) {
    const rules = await accessRules(tx, organizationId);
    const groups = new Set(own.groups);
    const hasAccess = accessOf(rules, groups) !== null || accessOf(rules, null) !== null;
    return { ...refuse(hasAccess ? 'signed_in' : 'no_access') };
  }
  if (person.disabled_at) return refuse('refused');
  const { isOwner, isInside } = await placeIn(tx, organizationId, person.id);
  const reachesFurther =
    isOwner || person.is_individual || (await isKnownOutside(tx, person.id, organizationId));
  if (reachesFurther && !isInside) return refuse('no_access');
  if (reachesFurther && !linked?.confirmed_at)
    return { outcome: 'link', personId: person.id, links: true };
  return { outcome: 'signed_in', personId: person.id, links: false };
}

/**
 * Signs in whom this browser has brought back from an organization's provider, or asks for the second
 * factor. Someone new becomes a member first. Once. Fails with `sign_in.expired` and `sso.no_access`.
 */
export function signInBySso(
  ctx: Ctx,
  said: Body<typeof contract.signInBySso>,
  http: Http,
): Promise<Answer<typeof contract.signInBySso>> {
  const browser = browserOf(http, ctx.settings) ?? fail('sign_in.expired');
  return ctx.db.systemTransaction(async (tx) => {
    const keys = { browser_hash: hashToken(browser), links: false, isOwn: true, now: ctx.now };
    const visit = (await takeProven(tx, keys)) ?? fail('sign_in.expired');
    const { organization_id: organizationId, issuer, subject, email } = visit;
    if (organizationId === null || issuer === null || subject === null)
      return fail('sign_in.expired');
    // Locked: two first sign-ins of one person, and a change of the rules, follow each other.
    const organization = await organizationRow(tx, organizationId, true);
    const connection = organization && (await connectionOf(tx, organizationId));
    if (connection?.issuer !== issuer) return fail('sign_in.expired');
    const person =
      visit.person_id === null
        ? await createFrom(ctx, tx, visit, email ?? fail('sign_in.expired'))
        : await personById(tx, visit.person_id);
    const prover = person && (await proverOf(tx, domainOf(person.email)));
    if (!person || person.disabled_at || prover?.organization_id !== organizationId)
      return fail('sign_in.expired');
    const identity = {
      ...{ organization_id: organizationId, issuer, subject },
      ...{ person_id: person.id, email: email ?? person.email },
    };
    const linked = await ownIdentityOf(tx, identity);
    if (linked && linked.person_id !== person.id) return fail('sign_in.expired');
    const row = linked ?? (await putOwnIdentity(tx, identity, { now: ctx.now, confirmedAt: null }));
    // Whom the directory has deactivated doesn't come back by a group of the provider.
    const known = await scimUserOfPerson(tx, organizationId, person.id);
    const name = organization?.name ?? '';
    if (known && !known.active) return fail('sso.no_access', { organization: name });
    const groups = known ? await groupsOfUser(tx, organizationId, known.id) : [];
    await applyAccess({ ...ctx, organizationId }, tx, row, [...(visit.groups ?? []), ...groups]);
    if (!(await placeIn(tx, organizationId, person.id)).isInside)
      return fail('sso.no_access', { organization: name });
    if (!linked)
      await auditPerson(ctx, tx, person.id, 'sign_in_method.linked', {
        provider: 'single sign-on',
      });
    await auditPerson(ctx, tx, person.id, 'sign_in.external', { provider: 'single sign-on' });
    clearBrowserCookie(http, ctx.settings);
    await markConnectionUsed(tx, organizationId, ctx.now);
    return completeSignIn(ctx, tx, http, person, {
      adminMode: false,
      remember: said.remember ?? false,
      by: 'sso',
      ssoOrganizationId: organizationId,
    });
  });
}

/** The account of someone new, without a password. Fails when another sign-in was quicker. */
async function createFrom(
  ctx: Ctx,
  tx: Tx,
  { first_name, last_name }: { first_name: string | null; last_name: string | null },
  email: string,
): Promise<PersonRow> {
  const person =
    (await createPerson(tx, {
      email,
      passwordHash: null,
      firstName: first_name ?? '',
      lastName: last_name ?? '',
      timezone: null,
    })) ?? fail('sign_in.expired');
  const { hostname } = new URL(ctx.settings.publicUrl);
  await createSipCredentials(tx, ctx.settings.appSecrets, person, hostname);
  return person;
}
