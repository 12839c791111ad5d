import type { Ctx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { companyRow, type SettingOwner } from '../../companies/index.ts';

/**
 * Whose settings a request means: the company's, or those of an organization the person administers
 * (`not_found` otherwise), or the installation's (`role.forbidden` except for platform staff).
 */
export async function settingOwner(
  ctx: Ctx,
  {
    organization_id: organizationId,
    scope,
  }: { organization_id?: number | undefined; scope?: 'system' | undefined },
): Promise<SettingOwner> {
  if (scope === 'system') {
    if (!ctx.actor.adminMode) fail('role.forbidden');
    return { companyId: null, organizationId: null };
  }
  if (organizationId === undefined) return { companyId: ctx.companyId, organizationId: null };
  // The company of the request names the organization, and only its administrators may change it.
  const company = await ctx.transaction((t) => companyRow(t.tx, t.companyId));
  if (company?.organization_id !== organizationId) return notFound();
  if (ctx.may('organization.edit') === 'none') fail('role.forbidden');
  return { companyId: null, organizationId };
}
