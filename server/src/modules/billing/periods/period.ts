import { DateTime } from 'luxon';
import { plans, type PlanId, type PlanInterval } from '#contract/billing/rules';

/**
 * When the period ends that is running at `start`: the first step from the anchor beyond it. In UTC,
 * so that a company's change of zone moves nothing. Steps are counted from the anchor: what began on
 * the 31st ends on the 30th of a shorter month and on the 31st of the next.
 * @param movedDays how far the clock of the account was moved
 */
export function nextPeriodEnd(
  anchor: Date,
  interval: PlanInterval,
  start: Date,
  movedDays = 0,
): Date {
  // Months have different lengths, so they are counted where the calendar of the account is.
  const moved = movedDays * 86_400_000;
  const end = periodEnd(
    new Date(anchor.getTime() + moved),
    interval,
    new Date(start.getTime() + moved),
  );
  return new Date(end.getTime() - moved);
}

/** Usage is counted over the whole period. */
export const noUsageMonth = { usage_from: null, usage_until: null };

/**
 * The month in which usage is counted from a time on. What a plan includes is included each month,
 * also where the plan is paid by the year; paid by the month, the period is that month.
 * @param movedDays how far the clock of the account was moved
 */
export const usageMonth = (
  plan: PlanId,
  { anchor, from }: { anchor: Date; from: Date },
  movedDays: number,
): { usage_from: Date | null; usage_until: Date | null } =>
  plans[plan].interval === 'year'
    ? { usage_from: from, usage_until: nextPeriodEnd(anchor, 'month', from, movedDays) }
    : noUsageMonth;

function periodEnd(anchor: Date, interval: PlanInterval, start: Date): Date {
  const from = DateTime.fromJSDate(anchor, { zone: 'utc' });
  const months = interval === 'year' ? 12 : 1;
  const passed = DateTime.fromJSDate(start, { zone: 'utc' }).diff(from, 'months').months;
  let step = Math.max(0, Math.floor(passed / months));
  while (from.plus({ months: step * months }).toMillis() <= start.getTime()) step += 1;
  return from.plus({ months: step * months }).toJSDate();
}
