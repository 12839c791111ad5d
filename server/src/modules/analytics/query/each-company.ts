import { accessTo } from '../../../platform/access.ts';
import type { TxCtx } from '../../../platform/context.ts';
import type { CompanyAsked } from './companies-asked.ts';

/** Runs `work` in each of the companies, under its own policies. */
export async function eachCompany<C extends CompanyAsked>(
  ctx: TxCtx,
  companies: readonly C[],
  work: (there: TxCtx, company: C) => Promise<void>,
): Promise<void> {
  for (const company of companies) {
    if (company.id === ctx.companyId) await work(ctx, company);
    else
      await ctx
        .actingIn(company.id, accessTo(ctx.actor, company.id)?.roles ?? ctx.roles)
        .readOnly((there) => work(there, company));
  }
}
