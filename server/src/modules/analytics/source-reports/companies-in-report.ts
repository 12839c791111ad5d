import { reportLimits } from '#contract/analytics/source-reports/rules';
import type { ReportParams } from '#contract/analytics/source-reports/schemas';
import { accessTo, grantIn, numbersIn } from '../../../platform/access.ts';
import type { Ctx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { organizationWithCompanies } from '../../companies/index.ts';
import type { CompanyAsked } from '../query/companies-asked.ts';
import type { RunSight } from './store.ts';

// The system role: organizations are above companies. Only companies whose figures the actor sees are
// looked at.

/**
 * The companies of a report: the request's own, or those of an organization whose figures the actor
 * sees, each with the numbers they are limited to there. Fails with a field error for an organization
 * that has none, or too many, and for filters that belong to one company.
 */
export async function companiesInReport(
  ctx: Ctx,
  { businessUnitId, filters }: Pick<ReportParams, 'businessUnitId' | 'filters'>,
): Promise<CompanyAsked[]> {
  if (businessUnitId === null) return [{ id: ctx.companyId, only: ctx.numbers }];
  const organization = await organizationWithCompanies(ctx.db.unscoped, businessUnitId);
  const found = (organization?.companyIds ?? []).flatMap((id) => seenIn(ctx, id) ?? []);
  if (!found.length) invalid({ businessUnitId: 'Choose an organization from the list.' });
  if (found.length > reportLimits.companies)
    invalid({ businessUnitId: `It has more than ${reportLimits.companies} companies.` });
  if (filters.poolIds?.length || filters.numberIds?.length)
    invalid({ filters: 'Pools and numbers belong to one company. Choose the company first.' });
  return found;
}

function seenIn({ actor }: Pick<Ctx, 'actor'>, id: number): CompanyAsked | null {
  const access = accessTo(actor, id);
  const grant = grantIn(access, 'analytics.view');
  return access && grant !== 'none' ? { id, only: numbersIn(access, grant) } : null;
}

/** The companies all of whose figures the actor sees. */
export const companiesSeenWhole = (ctx: Pick<Ctx, 'actor'>): number[] =>
  ctx.actor.memberships.flatMap(({ companyId }) =>
    seenIn(ctx, companyId)?.only === null ? [companyId] : [],
  );

/** Which saved runs the actor sees. */
export const sightOf = (ctx: Pick<Ctx, 'actor' | 'numbers'>): RunSight => ({
  numbers: ctx.numbers,
  companies: companiesSeenWhole(ctx),
});
