import type { TxCtx } from '../../../platform/context.ts';
import type { Hours } from '../engine/hours.ts';
import { planOf, defaultPlan } from './present.ts';
import { hoursOfPlan } from './rules.ts';
import { schedulesOf } from './store.ts';
import type { CompanyHours, HoursException } from '#contract/schedule-rules';

/** Everything about hours that routes, numbers, contacts and people of a company refer to, read in one go. */
export interface CompanyClock {
  timezone: string;
  hours: CompanyHours;
  exceptions: HoursException[];
  /** The company's Direct Voicemail: whatever follows the business hours goes to voicemail. */
  voicemail: boolean;
  /** By schedule id, as the engine judges it. */
  schedules: ReadonlyMap<number, Hours>;
  /** People who have hours of their own. */
  people: ReadonlyMap<number, Hours>;
}

export async function clockOf(ctx: TxCtx, timezone: string): Promise<CompanyClock> {
  const plans = (await schedulesOf(ctx.tx, ctx.companyId)).map(planOf);
  const company = plans.find((one) => one.user_id === null) ?? defaultPlan(null, timezone);
  return {
    timezone: company.timezone,
    hours: company.hours,
    exceptions: company.exceptions,
    voicemail: company.voicemail,
    schedules: new Map(
      plans.flatMap((plan) => (plan.id === null ? [] : [[plan.id, hoursOfPlan(plan, company)]])),
    ),
    people: new Map(
      plans.flatMap((plan) =>
        plan.user_id === null ? [] : [[plan.user_id, hoursOfPlan(plan, company)]],
      ),
    ),
  };
}
