import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import type { Hours } from '../engine/hours.ts';
import { companyPlan, planOf } from './present.ts';
import { hoursOfPlan } from './rules.ts';
import { schedulesOf } from './store.ts';
import type { CompanyHours, HoursException } from '#contract/routing/schedules/rules';

/** All hours of a company that routes, numbers, forwarding contacts and users refer to. */
export interface CompanyClock {
  timezone: string;
  hours: CompanyHours;
  exceptions: HoursException[];
  /** Days on which it is closed, unless an exception says otherwise. */
  holidays: HoursException[];
  /** Direct Voicemail of the company: calls that follow its business hours go to voicemail. */
  voicemail: boolean;
  /** Hours by schedule id. */
  schedules: ReadonlyMap<number, Hours>;
  /** Hours by user id, for users with their own. */
  people: ReadonlyMap<number, Hours>;
}

/** Reads the company's hours, given its row. */
export async function clockOf(
  ctx: TxCtx,
  row: { timezone: string; settings: unknown } | undefined,
): Promise<CompanyClock> {
  const rows = await schedulesOf(ctx.tx, ctx.companyId);
  const plans = rows.map(planOf);
  const company = companyPlan(
    rows.find((one) => one.user_id === null),
    row,
    ctx.now,
  );
  return {
    timezone: company.timezone,
    hours: company.hours,
    exceptions: company.exceptions,
    holidays: company.holidays,
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
  return (await clockOf(ctx, await companyRow(ctx.tx, ctx.companyId))).people;
}
