import { organizations as contract } from '#contract';
import { permissionsChanged } from '#contract/identity/events';
import { companyChanged } from '#contract/companies/events';
import type { AuditAction } from '#contract/settings/audit/actions';
import { audit } from '../../../platform/audit.ts';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { notFound } from '../../../platform/errors.ts';
import { accountsOf, administratorsOf, organizationRow, type OrganizationRow } from './store.ts';

// The system role: organizations are above companies; dispatch has checked that the actor
// administers it.

/** The organization of the request. `not_found` when there is none, or it was deleted meanwhile. */
export const requireOrganization = async (
  tx: Tx,
  ctx: Ctx,
  lock = false,
): Promise<OrganizationRow> =>
  (ctx.organizationId ? await organizationRow(tx, ctx.organizationId, lock) : undefined) ??
  notFound();

/** Runs `work` with the request's organization locked; its administrators' screens follow. */
export const changeOrganization = <T>(
  ctx: Ctx,
  work: (tx: Tx, organization: OrganizationRow) => Promise<T>,
): Promise<T> =>
  ctx.db.systemTransaction(async (tx) => {
    const organization = await requireOrganization(tx, ctx, true);
    // Before and after, since a removed administrator's screens change, too.
    const before = await administratorsOf(tx, organization.id);
    const result = await work(tx, organization);
    const after = await administratorsOf(tx, organization.id);
    await publishOrganization(tx, organization.id, [...new Set([...before, ...after])]);
    return result;
  });

/** Publishes to these people that an organization changed. */
export async function publishOrganization(
  tx: Tx,
  organizationId: number,
  userIds: readonly number[],
): Promise<void> {
  for (const userId of userIds)
    await publishIn(tx, contract.organizationChanged, { organizationId, userId }, { userId });
}

/** Publishes that what these people may do has changed: their sockets are checked again. */
export async function publishPermissions(tx: Tx, userIds: readonly number[]): Promise<void> {
  for (const userId of userIds) await publishIn(tx, permissionsChanged, { userId }, { userId });
}

/** Publishes that a company changed. */
export const publishCompany = (tx: Tx, companyId: number): Promise<void> =>
  publishIn(tx, companyChanged, { companyId }, { companyId });

/** Writes an audit row into a company: the log belongs to companies, so each concerned one has it. */
export const auditIn = (
  ctx: Ctx,
  tx: Tx,
  companyId: number,
  ...row: [action: AuditAction, subject: string, change?: { before?: unknown; after?: unknown }]
): Promise<void> => audit({ ...ctx, tx, companyId }, ...row);

/** Writes the same audit row into every company of the request's organization. */
export async function auditEverywhere(
  ctx: Ctx,
  tx: Tx,
  ...row: [action: AuditAction, subject: string, change?: { before?: unknown; after?: unknown }]
): Promise<void> {
  for (const { id } of await accountsOf(tx, ctx.organizationId)) await auditIn(ctx, tx, id, ...row);
}
