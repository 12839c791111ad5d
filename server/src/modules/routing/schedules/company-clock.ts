import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import type { Hours } from '../engine/hours.ts';
import { planOf, defaultPlan } from './present.ts';
import { hoursOfPlan } from './rules.ts';
import { schedulesOf } from './store.ts';
import type { CompanyHours, HoursException } from '#contract/routing/schedules/rules';

/** All hours of a company that routes, numbers, forwarding contacts and users refer to. */
export interface CompanyClock {
  timezone: string;
  hours: CompanyHours;
  exceptions: HoursException[];
  /** Direct Voicemail of the company: calls that follow its business hours go to voicemail. */
  voicemail: boolean;
  /** Hours by schedule id. */
  schedules: ReadonlyMap<number, Hours>;
  /** Hours by user id, for users with their own. */
  people: ReadonlyMap<number, Hours>;
}

/** Reads the company's hours. `timezone`: used when the company has no schedule. */
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

/** Hours by user id, for users of the company with their own. */
export async function hoursOfPeople(ctx: TxCtx): Promise<ReadonlyMap<number, Hours>> {
  const timezone = (await companyRow(ctx.tx, ctx.companyId))?.timezone ?? 'UTC';
  return (await clockOf(ctx, timezone)).people;
}
