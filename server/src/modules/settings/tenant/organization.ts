import { tenant as contract } from '#contract';
import { publishIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import { organizationOfCompany } from '../../companies/index.ts';

// The system role: the tenant belongs to an organization, above its companies.

/** An organization and the ids of its companies. */
export interface Organization {
  id: number;
  name: string;
  companyIds: readonly number[];
}

/** The organization of the request's company. Fails with `tenant.no_organization` without one. */
export const requireOrganization = async (ctx: Ctx): Promise<Organization> =>
  (await organizationOfCompany(ctx.db.unscoped, ctx.companyId)) ?? fail('tenant.no_organization');

/** Open screens of every company of the organization follow its tenant. */
export async function publishTenantChanged(tx: Tx, organization: Organization): Promise<void> {
  const data = { organizationId: organization.id };
  for (const companyId of organization.companyIds)
    await publishIn(tx, contract.tenantChanged, data, { companyId });
}
