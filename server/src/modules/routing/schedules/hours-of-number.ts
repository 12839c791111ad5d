import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { readNumber } from '../../numbers/index.ts';
import { isOpen, wasOpenBetween, type HoursResult } from '../engine/hours.ts';
import { planOf, defaultPlan } from './present.ts';
import { hoursOfPlan } from './rules.ts';
import { schedulesOf } from './store.ts';

interface NumberHours {
  isOpenAt(moment: Date): HoursResult;
  /** Whether it was open at any time in (from, to]. */
  openedBetween(from: Date, to: Date): boolean;
}
/** The hours of a number: its own schedule, else the company's. */
export async function hoursOfNumber(ctx: TxCtx, numberId: number): Promise<NumberHours> {
  const plans = (await schedulesOf(ctx.tx, ctx.companyId)).map(planOf);
  const company =
    plans.find((plan) => plan.user_id === null) ??
    defaultPlan(null, (await companyRow(ctx.tx, ctx.companyId))?.timezone ?? 'UTC');
  const scheduleId = (await readNumber(ctx.tx, ctx.companyId, numberId))?.schedule_id ?? null;
  const hours = hoursOfPlan(plans.find((plan) => plan.id === scheduleId) ?? company, company);
  return {
    isOpenAt: (moment) => isOpen(hours, moment.getTime()),
    openedBetween: (from, to) => wasOpenBetween(hours, from.getTime(), to.getTime()),
  };
}
