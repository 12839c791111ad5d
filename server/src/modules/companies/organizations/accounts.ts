import { fold } from '#contract/fold';
import type { Answer, Body, PageAnswer, Query } from '#contract';
import { organizations as contract } from '#contract';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { firstOf } from '../../../platform/must-be.ts';
import type { Http } from '../../../platform/routes.ts';
import { revokeSessionsIn } from '../../identity/index.ts';
import { recomputeSettings } from '../settings/save-settings.ts';
import { ownerIdOf } from '../store.ts';
import {
  auditIn,
  changeOrganization,
  publishCompany,
  publishPermissions,
  requireOrganization,
} from './in-organization.ts';
import { mailOwner } from './mail-owner.ts';
import { presentAccounts } from './present.ts';
import {
  accountsOf,
  activeMemberIds,
  administratorsOf,
  effectsOf,
  lockCompany,
  peopleWithoutCompany,
  setCompanyStatus,
  setOrganization,
  type LockedCompany,
} from './store.ts';

// The system role: organizations are above companies; dispatch has checked that the actor
// administers it.

type Row<E> = Answer<E> extends { data: (infer R)[] } ? R : never;
type Account = Row<typeof contract.listOrganizationCompanies>;

/** The companies of the organization with their figures. */
export async function listOrganizationCompanies(
  ctx: Ctx,
  query: Query<typeof contract.listOrganizationCompanies>,
): Promise<PageAnswer<Account>> {
  const db = ctx.db.unscoped;
  const { id } = await requireOrganization(db, ctx);
  const search = query.search && fold(query.search);
  const found = (await accountsOf(db, id)).filter(
    (c) =>
      (query.status === undefined || c.status === query.status) &&
      (!search || fold(c.name).includes(search)),
  );
  const from = (query.page - 1) * query.perPage;
  const sort = query.sort ?? 'name';
  const down = query.dir === 'desc' ? -1 : 1;
  const compare = (a: Account, b: Account): number =>
    sort === 'name' ? a.name.localeCompare(b.name) : a[sort] - b[sort];
  // Only an order by figures needs those of every company.
  if (sort === 'name' || sort === 'status') {
    const page = found
      .sort((a, b) => compare(a as Account, b as Account) * down)
      .slice(from, from + query.perPage);
    return { rows: await presentAccounts(ctx, db, page), total: found.length };
  }
  const all = (await presentAccounts(ctx, db, found)).sort((a, b) => compare(a, b) * down);
  return { rows: all.slice(from, from + query.perPage), total: found.length };
}

/**
 * Moves a company into the organization of `ctx` and mails its owner. Only the owner may: the
 * organization's administrators get more rights there than an administrator of the company has.
 * `not_found` for companies the person has no access to, `organization.owner_decides` for others
 * than their own; `organization.company_taken` for one of another organization.
 */
export async function attachIn(ctx: Ctx, http: Http, tx: Tx, companyId: number) {
  const isKnown = ctx.actor.memberships.some((m) => m.companyId === companyId);
  const isSeen = isKnown || ctx.actor.adminMode;
  const company = (isSeen ? await lockCompany(tx, companyId) : undefined) ?? notFound();
  if ((await ownerIdOf(tx, companyId)) !== ctx.actor.userId) fail('organization.owner_decides');
  if (company.organization_id === ctx.organizationId) return company;
  if (company.organization_id !== null) fail('organization.company_taken');
  await setOrganization(tx, companyId, ctx.organizationId);
  await recomputeSettings(tx, [companyId], { ip: http.ip, now: ctx.now });
  await auditIn(ctx, tx, companyId, 'organization.joined', `organization:${ctx.organizationId}`);
  await publishCompany(tx, companyId);
  await publishPermissions(tx, await administratorsOf(tx, ctx.organizationId));
  await mailOwner(ctx, tx, company, 'joined');
  return company;
}

/** Adds a company to the organization; fails as `attachIn` does. */
export async function attachOrganizationCompany(
  ctx: Ctx,
  { companyId }: Body<typeof contract.attachOrganizationCompany>,
  http: Http,
): Promise<Answer<typeof contract.attachOrganizationCompany>> {
  const data = await changeOrganization(ctx, async (tx) =>
    firstOf(await presentAccounts(ctx, tx, [await attachIn(ctx, http, tx, companyId)])),
  );
  return { data };
}

/** A company of the request's organization, locked. `not_found` for any other. */
async function requireAccount(ctx: Ctx, tx: Tx, companyId: number) {
  const company = (await lockCompany(tx, companyId)) ?? notFound();
  return company.organization_id === ctx.organizationId ? company : notFound();
}

/**
 * Takes a company out. Roles in the company itself stay. An administrator of the organization may
 * only let an active one go (`organization.company_not_active`), as they couldn't reactivate it
 * outside; its owner always leaves by `leaveOrganization`.
 */
export const detachOrganizationCompany = (ctx: Ctx, companyId: number): Promise<void> =>
  changeOrganization(ctx, async (tx) => {
    const company = await requireAccount(ctx, tx, companyId);
    if (company.status !== 0) fail('organization.company_not_active');
    await detachIn(ctx, tx, company);
  });

/** Takes a locked company out of its organization and mails its owner. */
export async function detachIn(ctx: Ctx, tx: Tx, company: LockedCompany): Promise<void> {
  const { id, organization_id: organizationId } = company;
  if (organizationId === null) fail('organization.none');
  await setOrganization(tx, id, null);
  // Nobody is locked out by this: what the organization asked for no longer counts.
  await recomputeSettings(tx, [id], { ip: null, now: ctx.now });
  await auditIn(ctx, tx, id, 'organization.left', `organization:${organizationId}`);
  await publishCompany(tx, id);
  await publishPermissions(tx, await administratorsOf(tx, organizationId));
  await mailOwner(ctx, tx, company, 'left');
}

/**
 * Parks (1), deactivates (2) or reactivates (0) a company of the organization, or only shows what
 * that would do (`dry_run`). What follows is in decision 0104.
 */
export async function updateAccountStatus(
  ctx: Ctx,
  { companyId, status, dry_run }: Body<typeof contract.updateAccountStatus>,
): Promise<Answer<typeof contract.updateAccountStatus>> {
  const data = await changeOrganization(ctx, async (tx) => {
    const company = await requireAccount(ctx, tx, companyId);
    const before = company.status as 0 | 1 | 2;
    const users = await activeMemberIds(tx, companyId);
    const found = (await effectsOf(tx, companyId)) ?? notFound();
    const administrators = new Set(await administratorsOf(tx, ctx.organizationId));
    const affected = users.filter((id) => !administrators.has(id));
    const changesAccess = (status === 2) !== (before === 2);
    const effects = {
      ...found,
      campaigns: status === 0 ? [] : found.campaigns,
      users: changesAccess ? affected.length : 0,
      plan: company.plan,
    };
    const isApplied = !dry_run && status !== before;
    // What the platform parked or deactivated, only the platform opens again.
    if (isApplied && company.status_set_by === 'platform' && ctx.role !== 'platform')
      fail('organization.status_of_platform');
    if (isApplied) {
      await changeStatusIn(ctx, tx, { companyId, status, before });
      await publishPermissions(tx, [...new Set([...users, ...administrators])]);
      // Who has no other company has nothing left to be signed in to.
      if (status === 2)
        for (const personId of await peopleWithoutCompany(tx, affected))
          await revokeSessionsIn(tx, { personId }, ctx.now);
    }
    return { company_id: companyId, status, is_applied: isApplied, effects };
  });
  return { data };
}

/** Sets the status of a locked company, with its audit row and events. */
export async function changeStatusIn(
  ctx: Ctx,
  tx: Tx,
  { companyId, status, before }: { companyId: number; status: 0 | 1 | 2; before: 0 | 1 | 2 },
): Promise<void> {
  const by = ctx.role === 'platform' ? 'platform' : 'organization';
  await setCompanyStatus(tx, companyId, status, { by: status === 0 ? null : by, now: ctx.now });
  await auditIn(ctx, tx, companyId, 'company.status_changed', `company:${companyId}`, {
    before: { status: before },
    after: { status },
  });
  const change = { companyId, status, before };
  await publishIn(tx, contract.companyStatusChanged, change, { companyId });
  await publishCompany(tx, companyId);
}
