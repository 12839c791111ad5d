import { schedules } from '#contract';
import { t } from '#ui';

/** A schedule while it is edited, as the form holds it. */
export interface ScheduleDraft extends schedules.Week {
  timezone: string;
  exceptions: schedules.HoursException[];
  hours: schedules.CompanyHours;
}

/**
 * A saved schedule as the editor holds it. A user's that was never saved starts in the browser's
 * time zone (B §3).
 */
export function toScheduleDraft(saved: schedules.Schedule, browserZone: string): ScheduleDraft {
  const { preset, blocks, custom_blocks, voicemail, exceptions, timezone } = saved;
  const hours = Object.fromEntries(
    schedules.weekdays.flatMap((day) =>
      (['open', 'close'] as const).map((side) => [
        `${day}_${side}_hour`,
        saved[`${day}_${side}_hour`],
      ]),
    ),
  ) as schedules.CompanyHours;
  // B §3: a user who never set a time zone gets the browser's.
  return {
    preset,
    blocks,
    custom_blocks,
    voicemail,
    exceptions,
    hours,
    timezone: saved.id === null && saved.user_id !== null ? browserZone : timezone,
  };
}

/**
 * The draft as the API takes it. A user's request has no business hours; those belong to the
 * company.
 */
export function toScheduleRequest(
  draft: ScheduleDraft,
  userId: number | null,
): schedules.ScheduleIn {
  const { hours, custom_blocks, preset, blocks, ...rest } = draft;
  return {
    ...rest,
    preset,
    ...(preset === 6 ? {} : { blocks }),
    ...(custom_blocks === null ? {} : { custom_blocks }),
    ...(userId === null ? hours : { user_id: userId }),
  };
}

/** The first error found before asking the server; null when there is none. */
export function scheduleError(draft: ScheduleDraft): string | null {
  const twice = draft.preset === 6 ? null : schedules.overlapIn(draft.blocks);
  if (twice !== null)
    return t('Two time ranges overlap on {day}.', { day: t(schedules.weekdayNames[twice.day]) });
  if (draft.exceptions.some((one) => one.from === '' || one.to === ''))
    return t('Choose a date for each special date.');
  return draft.exceptions.some((one) => one.to < one.from)
    ? t('The last day is before the first.')
    : null;
}

/** The business hours of a weekday as one range. Null: closed. */
export function rangeOfDay(
  hours: schedules.CompanyHours,
  day: schedules.Weekday,
): schedules.TimeRange | null {
  const [start, end] = [hours[`${day}_open_hour`] ?? null, hours[`${day}_close_hour`] ?? null];
  return start === null || end === null ? null : { start, end };
}
/** The hours with one weekday replaced. Null: closed. */
export const withDay = (
  hours: schedules.CompanyHours,
  day: schedules.Weekday,
  range: schedules.TimeRange | null,
): schedules.CompanyHours => ({
  ...hours,
  [`${day}_open_hour`]: range?.start ?? null,
  [`${day}_close_hour`]: range?.end ?? null,
});
