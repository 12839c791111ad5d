import type { Answer, externalSignIn as contract } from '#contract';
import { auditPerson } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { browserOf, clearBrowserCookie } from './browser-cookie.ts';
import { insertIdentity, provenBy, takeProven } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/** Someone without an account here whom a provider has named, with an address that it verified. */
interface NewIdentity {
  provider: string;
  issuer: string;
  subject: string;
  email: string;
}

/** Whom this browser has brought back, for the sign-up page. Fails with `sign_in.expired`. */
export async function getProvenIdentity(
  ctx: Ctx,
  http: Http,
): Promise<Answer<typeof contract.getProvenIdentity>> {
  const keys = keysOf(ctx, http);
  const visit = await ctx.db.systemTransaction((tx) => provenBy(tx, keys));
  if (!visit || visit.person_id !== null || visit.email === null) return fail('sign_in.expired');
  const { provider, email, first_name, last_name } = visit;
  const { label } = ctx.gateways.signIn.get(provider) ?? { label: provider };
  const names = { first_name: first_name ?? '', last_name: last_name ?? '' };
  return { data: { provider, label, email, ...names } };
}

const keysOf = (ctx: Ctx, http: Http) => ({
  browser_hash: hashToken(browserOf(http, ctx.settings) ?? fail('sign_in.expired')),
  links: false,
  isOwn: false,
  now: ctx.now,
});

/** Uses up whom this browser has brought back. Fails with `sign_in.expired`. */
export async function takeNewIdentity(ctx: Ctx, tx: Tx, http: Http): Promise<NewIdentity> {
  const visit = await takeProven(tx, keysOf(ctx, http));
  if (visit?.person_id !== null) return fail('sign_in.expired');
  const { provider, issuer, subject, email } = visit;
  if (issuer === null || subject === null || email === null) return fail('sign_in.expired');
  clearBrowserCookie(http, ctx.settings);
  return { provider, issuer, subject, email };
}

/** Links the provider to the person who was created of it, in the same transaction. */
export async function linkNewIdentity(
  ctx: Ctx,
  tx: Tx,
  { id }: { id: number },
  identity: NewIdentity,
): Promise<void> {
  const linked = await insertIdentity(tx, { ...identity, person_id: id, created_at: ctx.now });
  // Someone else was quicker with it.
  if (!linked) fail('sign_in.expired');
  await auditPerson(ctx, tx, id, 'sign_in_method.linked', { provider: identity.provider });
}
