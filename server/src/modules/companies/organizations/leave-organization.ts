import type { Answer, organizations as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { dropExcludingNetworks } from '../settings/save-settings.ts';
import { ownerIdOf } from '../store.ts';
import { changeStatusIn, detachIn } from './accounts.ts';
import { auditIn, publishPermissions } from './in-organization.ts';
import { activeMemberIds, lockCompany } from './store.ts';

// The system role: organizations are above companies; dispatch has checked that the actor
// administers it.

/**
 * Takes the person's own company out of its organization, whatever the organization's administrators
 * did to it: a company that they parked or deactivated becomes active, and a list of networks that
 * keeps the owner out is dropped. What the platform deactivated stays so. `not_found` for companies
 * of others, `organization.none`.
 */
export async function leaveOrganization(
  ctx: Ctx,
  companyId: number,
  http: Http,
): Promise<Answer<typeof contract.leaveOrganization>> {
  const status = await ctx.db.systemTransaction(async (tx) => {
    const company = (await lockCompany(tx, companyId)) ?? notFound();
    if ((await ownerIdOf(tx, companyId)) !== ctx.actor.userId) notFound();
    if (company.organization_id === null) fail('organization.none');
    await detachIn(ctx, tx, company);
    const by = { by: ctx.actor.userId, ip: http.ip, now: ctx.now };
    const dropped = await dropExcludingNetworks(tx, companyId, by);
    if (dropped)
      await auditIn(ctx, tx, companyId, 'settings.updated', `company:${companyId}`, {
        before: { allowed_ip_ranges: dropped },
        after: { allowed_ip_ranges: null },
      });
    const before = company.status as 0 | 1 | 2;
    if (before === 0 || company.status_set_by === 'platform') return before;
    await changeStatusIn(ctx, tx, { companyId, status: 0, before });
    await publishPermissions(tx, await activeMemberIds(tx, companyId));
    return 0 as const;
  });
  return { data: { company_id: companyId, status } };
}
