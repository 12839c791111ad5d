import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { readNumber } from '../../numbers/index.ts';
import { isOpen, opensBetween, type HoursAnswer } from '../engine/hours.ts';
import { planOf, unsaidPlan } from './present.ts';
import { hoursOfPlan } from './rules.ts';
import { schedulesOf } from './store.ts';

export interface NumberHours {
  at(moment: Date): HoursAnswer;
  /** Was it open at any moment after `from` and up to `to`? */ opened(
    from: Date,
    to: Date,
  ): boolean;
}
/** When a number is open: its own schedule, else the company's. */
export async function hoursOfNumber(ctx: TxCtx, numberId: number): Promise<NumberHours> {
  const plans = (await schedulesOf(ctx.tx, ctx.companyId)).map(planOf);
  const company =
    plans.find((plan) => plan.user_id === null) ??
    unsaidPlan(null, (await companyRow(ctx.tx, ctx.companyId))?.timezone ?? 'UTC');
  const scheduleId = (await readNumber(ctx.tx, ctx.companyId, numberId))?.schedule_id ?? null;
  const hours = hoursOfPlan(plans.find((plan) => plan.id === scheduleId) ?? company, company);
  return {
    at: (moment) => isOpen(hours, moment.getTime()),
    opened: (from, to) => opensBetween(hours, from.getTime(), to.getTime()),
  };
}
