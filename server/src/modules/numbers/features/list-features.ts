import type { Answer, features as contract } from '#contract';
import {
  featureKey,
  featureNames,
  isFeatureOn,
  isLackedByPlan,
} from '#contract/numbers/features/rules';
import type { Ctx } from '../../../platform/context.ts';
import { companyRow, valuesFor } from '../../companies/index.ts';
import { companiesWithFeatures } from './store-features.ts';

// The system role: settings of an organization are above companies.

/** Every feature, whether it is on in the company, and where that is set. */
export async function listCompanyFeatures(
  ctx: Ctx,
): Promise<Answer<typeof contract.listCompanyFeatures>> {
  const { companyId } = ctx;
  const db = ctx.db.unscoped;
  const settings = (await companyRow(db, companyId))?.settings;
  const values = await valuesFor(db, { companyId, organizationId: null });
  return {
    data: featureNames.map((feature) => {
      const set = values.filter((row) => row.key === featureKey(feature));
      const source = isLackedByPlan(settings, feature)
        ? ('plan' as const)
        : set.some((row) => row.company_id !== null)
          ? ('company' as const)
          : set.some((row) => row.organization_id !== null)
            ? ('organization' as const)
            : ('system' as const);
      return { feature, enabled: isFeatureOn(settings, feature), source };
    }),
  };
}

/** Every feature, and in which companies of the organization it is on. */
export async function listOrganizationFeatures(
  ctx: Ctx,
): Promise<Answer<typeof contract.listOrganizationFeatures>> {
  const { organizationId = 0 } = ctx;
  const db = ctx.db.unscoped;
  const companies = await companiesWithFeatures(db, organizationId);
  const values = await valuesFor(db, { companyId: null, organizationId });
  return {
    data: featureNames.map((feature) => {
      const set = values.filter((row) => row.key === featureKey(feature));
      const own = set.find((row) => row.organization_id !== null) ?? set[0];
      return {
        feature,
        enabled: own?.value !== false,
        companies: companies.map(({ id, name, settings }) => ({
          id,
          name,
          enabled: isFeatureOn(settings, feature),
        })),
      };
    }),
  };
}
