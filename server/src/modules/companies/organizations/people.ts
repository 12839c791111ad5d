import type { Answer, Body, PageAnswer, Query, organizations as contract } from '#contract';
import { companyUserChanged } from '#contract/companies/events';
import type { BulkSkipReason } from '#contract/companies/organizations/rules';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { patchPerson, personById, startEmailChange } from '../../identity/index.ts';
import { hasSeat } from '../plan/plan.ts';
import { insertMembership, insertOrganizationAdmin } from '../store.ts';
import {
  auditEverywhere,
  auditIn,
  changeOrganization,
  publishPermissions,
  requireOrganization,
} from './in-organization.ts';
import { isKnownOutside } from '../users/store.ts';
import { presentOrganizationUser } from './present.ts';
import {
  accountsOf,
  lockCompany,
  lockMembership,
  organizationUsers,
  removeAdministrator,
  setRole,
  type OrganizationUserRow,
} from './store.ts';

// The system role: organizations are above companies; dispatch has checked that the actor
// administers it.

type Row<E> = Answer<E> extends { data: (infer R)[] } ? R : never;

/** The people of the organization's companies, and its administrators. */
export async function listOrganizationUsers(
  ctx: Ctx,
  query: Query<typeof contract.listOrganizationUsers>,
): Promise<PageAnswer<Row<typeof contract.listOrganizationUsers>>> {
  const db = ctx.db.unscoped;
  const { id } = await requireOrganization(db, ctx);
  const { rows, total } = await organizationUsers(db, id, {
    search: query.search,
    isAdmin: query.is_admin,
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return { rows: rows.map(presentOrganizationUser), total };
}

/** A person of the organization. `not_found` for anyone else. */
async function requirePerson(ctx: Ctx, tx: Tx, userId: number) {
  const { rows } = await organizationUsers(tx, ctx.organizationId, {
    userId,
    limit: 1,
    offset: 0,
  });
  return rows[0] ?? notFound();
}

/** Makes a person of one of its companies an administrator of the organization. */
export async function addOrganizationAdmin(
  ctx: Ctx,
  { userId }: Body<typeof contract.addOrganizationAdmin>,
): Promise<Answer<typeof contract.addOrganizationAdmin>> {
  const data = await changeOrganization(ctx, async (tx, o) => {
    const person = await requirePerson(ctx, tx, userId);
    if (!person.is_admin) {
      if (person.accounts.every(({ role }) => role === 'deactivated'))
        fail('organization.person_inactive');
      await insertOrganizationAdmin(tx, { organization_id: o.id, user_id: userId });
      await auditEverywhere(ctx, tx, 'organization.admin_added', `user:${userId}`);
      await publishRoleHere(tx, person);
    }
    return presentOrganizationUser({ ...person, is_admin: true });
  });
  return { data };
}

/** Publishes to the person, and to the companies that list them, that they act as more or less. */
async function publishRoleHere(
  tx: Tx,
  person: { id: number; accounts: readonly { id: number }[] },
): Promise<void> {
  await publishPermissions(tx, [person.id]);
  for (const { id: companyId } of person.accounts)
    await publishIn(tx, companyUserChanged, { companyId, userId: person.id }, { companyId });
}

/**
 * Removes an administrator. They leave the companies, except where they have a role of their own
 * (A4 rule 5). The owner stays.
 */
export async function removeOrganizationAdmin(
  ctx: Ctx,
  userId: number,
): Promise<Answer<typeof contract.removeOrganizationAdmin>> {
  const data = await changeOrganization(ctx, async (tx, o) => {
    const person = await requirePerson(ctx, tx, userId);
    if (person.is_owner) fail('organization.owner_stays');
    if (!(await removeAdministrator(tx, o.id, userId))) fail('organization.not_an_admin');
    const kept = person.accounts.filter(({ role }) => role !== 'deactivated');
    const accounts = await accountsOf(tx, o.id);
    await auditEverywhere(ctx, tx, 'organization.admin_removed', `user:${userId}`, {
      before: { kept: kept.map(({ id }) => id) },
    });
    await publishRoleHere(tx, person);
    return {
      detached: accounts
        .filter(({ id }) => !kept.some((k) => k.id === id))
        .map(({ id, name }) => ({ id, name })),
      kept,
    };
  });
  return { data };
}

/**
 * Gives a person one role in several companies. Each company is changed whole or left out with its
 * reason. Names and email of a person known only in this organization change, too: the new address
 * is mailed a code, which the person enters in their profile.
 */
export async function updateUserAccounts(
  ctx: Ctx,
  userId: number,
  body: Body<typeof contract.updateUserAccounts>,
): Promise<Answer<typeof contract.updateUserAccounts>> {
  if (userId === ctx.actor.userId) fail('organization.own_role');
  const answer = await changeOrganization(ctx, async (tx, o) => {
    const person = await requirePerson(ctx, tx, userId);
    const details = await changedDetails(tx, o.id, person, body);
    const updated: number[] = [];
    const skipped: { accountId: number; reason: BulkSkipReason }[] = [];
    for (const accountId of new Set(body.accountIds)) {
      const reason = await giveRole(ctx, tx, { accountId, userId, role: body.role });
      if (reason) skipped.push({ accountId, reason });
      else updated.push(accountId);
    }
    if (updated.length) await publishPermissions(tx, [userId]);
    if (details) await changeDetails(ctx, tx, person, details);
    return { updated, skipped, details };
  });
  const { updated, skipped, details } = answer;
  if (details?.email !== undefined) {
    const person = mustBe(await personById(ctx.db.unscoped, userId), 'a member’s person');
    await startEmailChange(ctx, person, details.email);
  }
  return { updated, skipped };
}

type Details = Partial<Record<'first_name' | 'last_name' | 'email', string>>;

/**
 * The names and address that differ; null: none. Refused for a person whom others rely on, too, or
 * who owns the organization or one of its companies: it could take over their account.
 */
async function changedDetails(
  tx: Tx,
  organizationId: number,
  person: OrganizationUserRow,
  { firstName, lastName, email }: Body<typeof contract.updateUserAccounts>,
): Promise<Details | null> {
  const isSameEmail = email?.toLowerCase() === person.email.toLowerCase();
  const fields = [
    ...(firstName !== undefined && firstName !== person.first_name ? ['firstName'] : []),
    ...(lastName !== undefined && lastName !== person.last_name ? ['lastName'] : []),
    ...(email !== undefined && !isSameEmail ? ['email'] : []),
  ];
  if (!fields.length) return null;
  const isTheirOwn =
    person.is_owner ||
    person.accounts.some(({ role }) => role === 'owner') ||
    (await isKnownOutside(tx, person.id, organizationId));
  if (isTheirOwn)
    invalid(
      Object.fromEntries(fields.map((f) => [f, 'Only they can change this, in their profile.'])),
    );
  return {
    ...(firstName !== undefined && { first_name: firstName }),
    ...(lastName !== undefined && { last_name: lastName }),
    ...(email !== undefined && !isSameEmail && { email: email.trim() }),
  };
}

/** Writes names and what the logs of the person's companies say; the address waits for its code. */
async function changeDetails(
  ctx: Ctx,
  tx: Tx,
  person: OrganizationUserRow,
  details: Details,
): Promise<void> {
  const { email: _, ...names } = details;
  if (Object.keys(names).length) await patchPerson(tx, person.id, names);
  const before = Object.fromEntries(
    Object.keys(details).map((key) => [key, person[key as 'email']]),
  );
  for (const { id: companyId } of person.accounts) {
    await auditIn(ctx, tx, companyId, 'user.updated', `user:${person.id}`, {
      before,
      after: details,
    });
    const change = { companyId, userId: person.id };
    await publishIn(tx, companyUserChanged, change, { companyId });
  }
}

/** Gives a role in one company; the reason when it can't, and then nothing changed. */
async function giveRole(
  ctx: Ctx,
  tx: Tx,
  { accountId, userId, role }: { accountId: number; userId: number; role: string },
): Promise<BulkSkipReason | null> {
  const company = await lockCompany(tx, accountId);
  if (company?.organization_id !== ctx.organizationId) return 'not_in_organization';
  const before = (await lockMembership(tx, accountId, userId))?.role ?? null;
  if (before === 'owner') return 'is_owner';
  if (before === 'deactivated') return 'deactivated';
  if (before === role) return null;
  if (before === null && !(await hasSeat(tx, accountId, { now: ctx.now, isInvitation: false })))
    return 'no_seat';
  if (before === null) await insertMembership(tx, { company_id: accountId, user_id: userId, role });
  else await setRole(tx, accountId, userId, role);
  await auditIn(ctx, tx, accountId, 'user.role_changed', `user:${userId}`, {
    before: { role: before },
    after: { role },
  });
  const change = { companyId: accountId, userId };
  await publishIn(tx, companyUserChanged, change, { companyId: accountId });
  return null;
}
