/** How an update changes a schedule, and how the engine reads it (A7.3). Pure. */
import { schedules } from '#contract';
import { mostSpecificFirst } from '#contract/routing/schedules/rules';
import type { Hours } from '../engine/hours.ts';
import type { Plan } from './present.ts';

type HourKey = `${schedules.Weekday}_${'open' | 'close'}_hour`;
type ScheduleInput = schedules.ScheduleIn;

/** The open and close hours after an update, whether they changed, and errors by field. */
export function mergeHours(
  sent: ScheduleInput,
  before: schedules.CompanyHours,
): { hours: schedules.CompanyHours; changed: boolean; errors: Record<string, string> } {
  const hours = { ...before };
  const errors: Record<string, string> = {};
  for (const day of schedules.weekdays) {
    const [open, close]: [HourKey, HourKey] = [`${day}_open_hour`, `${day}_close_hour`];
    if (sent[open] !== undefined) hours[open] = sent[open];
    if (sent[close] !== undefined) hours[close] = sent[close];
    // "All Day" is one option on screen: either field may carry it.
    if ([sent[open], sent[close]].some((one) => one?.includes('–') || one?.includes('-')))
      [hours[open], hours[close]] = ['00:00', '24:00'];
    const [from, to] = [hours[open] ?? null, hours[close] ?? null];
    if ((from === null) !== (to === null))
      errors[from === null ? open : close] =
        `Enter both hours for ${schedules.weekdayNames[day]}, or choose closed.`;
    else if (from === '24:00') errors[open] = 'Choose an opening time no later than 23:45.';
  }
  return {
    hours,
    changed:
      JSON.stringify(Object.entries(hours).toSorted()) !==
      JSON.stringify(Object.entries(before).toSorted()),
    errors,
  };
}

/** The first overlap in weekly blocks, custom blocks or the times of an exception; null = none. */
export function overlapError(sent: ScheduleInput): { day: string; field: string } | null {
  for (const field of ['blocks', 'custom_blocks'] as const) {
    const found = schedules.overlapIn(sent[field] ?? []);
    if (found !== null)
      return {
        day: schedules.weekdayNames[found.day],
        field: `${field}.${found.block}.times.${found.time}`,
      };
  }
  for (const [i, one] of (sent.exceptions ?? []).entries()) {
    const found = schedules.overlapIn([{ days: ['mon'], times: one.times }]);
    if (found !== null)
      return {
        day: one.label === '' ? one.from : one.label,
        field: `exceptions.${i}.times.${found.time}`,
      };
  }
  return null;
}

/** The schedule after an update. */
export function applyInput(
  before: Plan,
  sent: ScheduleInput,
  company: Plan,
  hours: schedules.CompanyHours,
): Plan {
  const shown = before.preset === 6 ? schedules.companyBlocks(company.hours) : before.blocks;
  // With Business Hours GET shows the company's blocks: sending them back is no edit.
  const blocks =
    before.preset === 6 && schedules.sameBlocks(sent.blocks ?? null, shown)
      ? undefined
      : sent.blocks;
  const week = schedules.resolveWeek(
    before,
    {
      preset: sent.preset,
      voicemail: sent.voicemail,
      blocks,
      custom_blocks: sent.custom_blocks ?? undefined,
    },
    shown,
  );
  return {
    ...week,
    holidays: before.holidays,
    timezone: sent.timezone ?? before.timezone,
    exceptions: sent.exceptions ?? before.exceptions,
    hours,
  };
}

/**
 * A schedule as the engine reads it. Business Hours (preset 6) refer to the company's open hours,
 * time zone, exceptions, holidays and Direct Voicemail. Special days come first, so that they override
 * holidays.
 */
export function hoursOfPlan(plan: Plan, company: Plan): Hours {
  const follows = plan.preset === 6;
  const companyDays = plan.user_id === null ? [] : company.exceptions;
  return {
    timezone: follows ? company.timezone : plan.timezone,
    preset: plan.preset,
    blocks: follows ? schedules.companyBlocks(company.hours) : plan.blocks,
    exceptions: [
      ...mostSpecificFirst(plan.exceptions),
      ...(follows ? mostSpecificFirst(companyDays) : []),
      ...(follows || plan.user_id === null ? company.holidays : []),
    ],
    voicemail: plan.voicemail || (follows && company.voicemail),
  };
}
