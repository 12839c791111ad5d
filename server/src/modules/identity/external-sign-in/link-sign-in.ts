import type { Answer, externalSignIn as contract } from '#contract';
import { auditPerson } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { factorsChanged } from '../mfa/factors-changed.ts';
import type { PersonRow } from '../present.ts';
import { lockPerson, ownRow, personById } from '../store.ts';
import { hasWayIn, requireWayIn, waysIn } from '../store-ways-in.ts';
import { browserOf, clearBrowserCookie } from './browser-cookie.ts';
import { organizationNamed, ownName } from './rules.ts';
import {
  deleteOwnIdentity,
  ownIdentitiesOf,
  ownIdentityOf,
  putOwnIdentity,
  ssoRuleOf,
  type OwnIdentityRow,
} from './store-own.ts';
import {
  deleteIdentity,
  identitiesOf,
  identityOf,
  insertIdentity,
  takeProven,
  type IdentityRow,
} from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

type Method = Answer<typeof contract.linkSignIn>['data'];

/** How the signed-in person can sign in: every provider that is set up or linked. */
export async function listSignInMethods(
  ctx: Ctx,
): Promise<Answer<typeof contract.listSignInMethods>> {
  const db = ctx.db.unscoped;
  const personId = ctx.actor.userId;
  const [own, rule] = await Promise.all([ownIdentitiesOf(db, personId), ssoRuleOf(db, personId)]);
  const { ways, linked } = await ctx.readOnly(async ({ tx }) => ({
    ways: await waysIn(tx, db, personId),
    linked: await identitiesOf(tx, ctx.actor.userId),
  }));
  const providers = new Set([...ctx.gateways.signIn.keys(), ...linked.map((i) => i.provider)]);
  return {
    data: {
      has_password: ways.hasPassword,
      passkeys: ways.passkeys,
      providers: [
        ...[...providers].map((name) =>
          present(
            ctx,
            name,
            linked.find((i) => i.provider === name),
            hasWayIn(ctx, ways, name),
          ),
        ),
        ...own.map(({ organization_id: id, name: label, ...row }) => ({
          ...present(
            ctx,
            ownName(id),
            row,
            rule?.organization_id !== id && hasWayIn(ctx, ways, ownName(id)),
          ),
          label,
        })),
      ],
    },
  };
}

const present = (
  ctx: Pick<Ctx, 'gateways'>,
  provider: string,
  row: Pick<IdentityRow, 'email' | 'created_at' | 'last_used_at'> | undefined,
  canUnlink: boolean,
): Method => ({
  provider,
  // Linked earlier, and no longer set up here.
  label: ctx.gateways.signIn.get(provider)?.label ?? provider,
  linked: row
    ? {
        email: row.email,
        linked_at: row.created_at.toISOString(),
        last_used_at: row.last_used_at?.toISOString() ?? null,
        can_unlink: canUnlink,
      }
    : null,
});

/**
 * Links the provider that this browser has come back from. Dispatch has checked that the person
 * confirmed lately who they are; the provider must have verified that the mailbox is theirs as well.
 * Fails with `sign_in.expired`, `sign_in.other_address` or `sign_in.linked_elsewhere`.
 */
export async function linkSignIn(
  ctx: Ctx,
  http: Http,
): Promise<Answer<typeof contract.linkSignIn>> {
  const browser = browserOf(http, ctx.settings) ?? fail('sign_in.expired');
  const keys = { browser_hash: hashToken(browser), links: true, now: ctx.now };
  const row = await ctx.db.systemTransaction(async (tx) => {
    const { organization_id, provider, issuer, subject, email, person_id } =
      (await takeProven(tx, { ...keys, isOwn: false })) ??
      (await takeProven(tx, { ...keys, isOwn: true })) ??
      fail('sign_in.expired');
    if (issuer === null || subject === null || person_id !== ctx.actor.userId)
      return fail('sign_in.expired');
    const person = (await personById(tx, person_id)) ?? notFound();
    if (organization_id !== null)
      return linkOwn(ctx, tx, person, {
        organization_id,
        issuer,
        subject,
        email: email ?? person.email,
      });
    if (email?.toLowerCase() !== person.email.toLowerCase())
      return fail('sign_in.other_address', { email: person.email });
    const linked =
      (await insertIdentity(tx, {
        person_id: person.id,
        provider,
        issuer,
        subject,
        email,
        created_at: ctx.now,
      })) ?? (await identityOf(tx, issuer, subject));
    if (linked?.person_id !== person.id) return fail('sign_in.linked_elsewhere');
    const { label } = ctx.gateways.signIn.get(provider) ?? { label: provider };
    await factorsChanged(ctx, tx, person, `You can now sign in with ${label}.`);
    await auditPerson(ctx, tx, person.id, 'sign_in_method.linked', { provider });
    return linked;
  });
  clearBrowserCookie(http, ctx.settings);
  return { data: present(ctx, row.provider, row, true) };
}

/** Links the provider of an organization, which found the person by an address at its domain. */
async function linkOwn(
  ctx: Ctx,
  tx: Tx,
  person: PersonRow,
  subject: Pick<OwnIdentityRow, 'organization_id' | 'issuer' | 'subject' | 'email'>,
) {
  const linked = await ownIdentityOf(tx, subject);
  if (linked && linked.person_id !== person.id) return fail('sign_in.linked_elsewhere');
  const row = await putOwnIdentity(
    tx,
    { ...subject, person_id: person.id },
    { now: ctx.now, confirmedAt: ctx.now },
  );
  const provider = 'single sign-on';
  await factorsChanged(
    ctx,
    tx,
    person,
    `You can now sign in with ${provider} of your organization.`,
  );
  await auditPerson(ctx, tx, person.id, 'sign_in_method.linked', { provider });
  return { ...row, provider: 'sso' };
}

/** Unlinks a provider from the signed-in person. Fails with `sign_in.last_way` and `sso.required`. */
export async function unlinkSignIn(ctx: Ctx, provider: string): Promise<void> {
  const organizationId = organizationNamed(provider);
  if (organizationId !== null) return unlinkOwn(ctx, organizationId);
  await ctx.transaction(async ({ tx }) => {
    const person = (await ownRow(tx)) ?? notFound();
    await lockPerson(tx, person.id);
    if (!(await deleteIdentity(tx, person.id, provider))) notFound();
    await requireWayIn(ctx, tx, person.id);
    const { label } = ctx.gateways.signIn.get(provider) ?? { label: provider };
    await factorsChanged(ctx, tx, person, `You can no longer sign in with ${label}.`);
  });
  // Within their own wall a person reaches no company's log, so the row follows the change.
  await ctx.db.systemTransaction((tx) =>
    auditPerson(ctx, tx, ctx.actor.userId, 'sign_in_method.unlinked', { provider }),
  );
}

/** Unlinks the provider of an organization, unless it is what that asks the person for. */
const unlinkOwn = (ctx: Ctx, organizationId: number): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    const person = (await personById(tx, ctx.actor.userId)) ?? notFound();
    await lockPerson(tx, person.id);
    const rule = await ssoRuleOf(tx, person.id);
    if (rule?.organization_id === organizationId)
      fail('sso.required', { organization: rule.organization });
    if (!(await deleteOwnIdentity(tx, person.id, organizationId))) notFound();
    await requireWayIn(ctx, tx, person.id, tx);
    const provider = 'single sign-on';
    await factorsChanged(
      ctx,
      tx,
      person,
      `You can no longer sign in with ${provider} of your organization.`,
    );
    await auditPerson(ctx, tx, person.id, 'sign_in_method.unlinked', { provider });
  });
