import type { Ctx } from '../../../platform/context.ts';
import { noteRegistrationFees } from '../../billing/index.ts';
import { campaignOf } from './documents.ts';
import { monthlyCents } from './rules.ts';
import { approvedCampaigns } from './store.ts';

// The system role: looks at the approved registrations of all companies at once.

/** Adds this month's fee (UTC) of each registration that is approved for local numbers, once. */
export const noteMonthlyFees = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    const month = ctx.now.toISOString().slice(0, 7);
    const fees = (await approvedCampaigns(tx)).map(({ company_id, id, details }) => ({
      ...{ company_id, cause: `registration:${id}:${month}` },
      cents: monthlyCents(campaignOf(details).monthly_volume),
    }));
    await noteRegistrationFees(tx, fees, ctx.now);
  });
