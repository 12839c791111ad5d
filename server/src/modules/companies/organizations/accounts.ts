import type { Answer, Body, PageAnswer, Query } from '#contract';
import { organizations as contract } from '#contract';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { firstOf } from '../../../platform/must-be.ts';
import { revokeSessionsIn } from '../../identity/index.ts';
import {
  auditIn,
  changeOrganization,
  publishCompany,
  publishPermissions,
  requireOrganization,
} from './in-organization.ts';
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
} from './store.ts';

type Row<E> = Answer<E> extends { data: (infer R)[] } ? R : never;
type Account = Row<typeof contract.listOrganizationCompanies>;

/** The companies of the organization with their figures. */
export async function listOrganizationCompanies(
  ctx: Ctx,
  query: Query<typeof contract.listOrganizationCompanies>,
): Promise<PageAnswer<Account>> {
  const db = ctx.db.unscoped;
  const { id } = await requireOrganization(db, ctx);
  const search = query.search?.toLowerCase();
  const found = (await accountsOf(db, id)).filter(
    (c) =>
      (query.status === undefined || c.status === query.status) &&
      (!search || c.name.toLowerCase().includes(search)),
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
 * Moves a company, which the person owns or administers by a role of their own, into the
 * organization of `ctx`. `not_found` for other companies; `organization.company_taken` for one of
 * another organization.
 */
export async function attachIn(ctx: Ctx, tx: Tx, companyId: number) {
  const own = ctx.actor.memberships.find((m) => m.companyId === companyId);
  const mayMove = ctx.actor.adminMode || own?.role === 'owner' || own?.role === 'administrator';
  const company = (mayMove ? await lockCompany(tx, companyId) : undefined) ?? notFound();
  if (company.organization_id === ctx.organizationId) return company;
  if (company.organization_id !== null) fail('organization.company_taken');
  await setOrganization(tx, companyId, ctx.organizationId);
  await auditIn(ctx, tx, companyId, 'organization.joined', `organization:${ctx.organizationId}`);
  await publishCompany(tx, companyId);
  await publishPermissions(tx, await administratorsOf(tx, ctx.organizationId));
  return company;
}

/** Adds a company to the organization; fails as `attachIn` does. */
export async function attachOrganizationCompany(
  ctx: Ctx,
  { companyId }: Body<typeof contract.attachOrganizationCompany>,
): Promise<Answer<typeof contract.attachOrganizationCompany>> {
  const data = await changeOrganization(ctx, async (tx) =>
    firstOf(await presentAccounts(ctx, tx, [await attachIn(ctx, tx, companyId)])),
  );
  return { data };
}

/** A company of the request's organization, locked. `not_found` for any other. */
async function requireAccount(ctx: Ctx, tx: Tx, companyId: number) {
  const company = (await lockCompany(tx, companyId)) ?? notFound();
  return company.organization_id === ctx.organizationId ? company : notFound();
}

/**
 * Takes a company out. Roles in the company itself stay. Only an active one may leave
 * (`organization.company_not_active`), as no one could reactivate it outside.
 */
export const detachOrganizationCompany = (ctx: Ctx, companyId: number): Promise<void> =>
  changeOrganization(ctx, async (tx, o) => {
    const company = await requireAccount(ctx, tx, companyId);
    if (company.status !== 0) fail('organization.company_not_active');
    await setOrganization(tx, companyId, null);
    await auditIn(ctx, tx, companyId, 'organization.left', `organization:${o.id}`);
    await publishCompany(tx, companyId);
    await publishPermissions(tx, await administratorsOf(tx, o.id));
  });

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
    if (isApplied) {
      await setCompanyStatus(tx, companyId, status, ctx.now);
      await auditIn(ctx, tx, companyId, 'company.status_changed', `company:${companyId}`, {
        before: { status: before },
        after: { status },
      });
      const change = { companyId, status, before };
      await publishIn(tx, contract.companyStatusChanged, change, { companyId });
      await publishCompany(tx, companyId);
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
