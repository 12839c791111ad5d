import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { readNumber } from '../../numbers/index.ts';
import { isOpen, wasOpenBetween, type HoursResult } from '../engine/hours.ts';
import { companyPlan, planOf } from './present.ts';
import { hoursOfPlan } from './rules.ts';
import { schedulesOf } from './store.ts';

interface NumberHours {
  isOpenAt(moment: Date): HoursResult;
  /** Whether it was open at any time in (from, to]. */
  openedBetween(from: Date, to: Date): boolean;
}
/** The hours of a number: its own schedule, else the company's. */
export async function hoursOfNumber(ctx: TxCtx, numberId: number): Promise<NumberHours> {
  const rows = await schedulesOf(ctx.tx, ctx.companyId);
  const company = companyPlan(
    rows.find((row) => row.user_id === null),
    await companyRow(ctx.tx, ctx.companyId),
    ctx.now,
  );
  const scheduleId = (await readNumber(ctx.tx, ctx.companyId, numberId))?.schedule_id ?? null;
  const chosen = rows.find((row) => row.id === scheduleId);
  const hours = hoursOfPlan(chosen ? planOf(chosen) : company, company);
  return {
    isOpenAt: (moment) => isOpen(hours, moment.getTime()),
    openedBetween: (from, to) => wasOpenBetween(hours, from.getTime(), to.getTime()),
  };
}
