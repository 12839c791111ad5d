import { routing, schedules } from '#contract';
import { companySettingsOf } from '#contract/settings/rules';
import type { ScheduleRow } from './store.ts';

type Blocks = schedules.HoursBlock[];
/** A schedule, saved or default (`id` null). `user_id` null = the company's. */
export interface Plan extends schedules.Week {
  id: number | null;
  user_id: number | null;
  timezone: string;
  exceptions: schedules.HoursException[];
  hours: schedules.CompanyHours;
  /** Days on which the company is closed beside its special days; none in a person's. */
  holidays: schedules.HoursException[];
  updated_at: Date | null;
}

/** A schedule's row with the types of its JSON columns. `user_id`: null for the company's. */
export const planOf = (row: ScheduleRow): Plan => ({
  id: row.id,
  user_id: row.user_id,
  timezone: row.timezone,
  preset: row.preset as schedules.Preset,
  blocks: row.blocks as Blocks,
  custom_blocks: row.custom_blocks as Blocks | null,
  exceptions: row.exceptions as schedules.HoursException[],
  hours: row.hours as schedules.CompanyHours,
  voicemail: row.voicemail,
  holidays: [],
  updated_at: row.updated_at,
});

/** From the year before this moment until two years after it. */
const holidaysAround = (now: Date): schedules.HoursException[] =>
  [-1, 0, 1, 2].flatMap((years) => schedules.usFederalHolidays(now.getUTCFullYear() + years));

/** The company's schedule, saved or default, with the holidays of its settings. */
export function companyPlan(
  row: ScheduleRow | undefined,
  company: { timezone: string; settings: unknown } | undefined,
  now: Date,
): Plan {
  const plan = row === undefined ? defaultPlan(null, company?.timezone ?? 'UTC') : planOf(row);
  const { holiday_calendar: calendar } = companySettingsOf(company?.settings);
  return { ...plan, holidays: calendar === 'us_federal' ? holidaysAround(now) : [] };
}

/** The default schedule: Monday to Friday, 9 to 5 for a company, always for a user. */
export function defaultPlan(userId: number | null, timezone: string): Plan {
  const preset = userId === null ? 2 : 1;
  return {
    id: null,
    user_id: userId,
    timezone,
    preset,
    blocks: schedules.presetBlocks(preset, []),
    custom_blocks: null,
    exceptions: [],
    hours: schedules.defaultHours,
    voicemail: false,
    holidays: [],
    updated_at: null,
  };
}

/** A schedule as the API shows it, with the company's open and close hours also for a user. */
export function presentSchedule(
  companyId: number,
  plan: Plan,
  company: Plan,
  { usedBy, today }: { usedBy: number; today: string },
): schedules.Schedule {
  const blocks = plan.preset === 6 ? schedules.companyBlocks(company.hours) : plan.blocks;
  const hours = Object.fromEntries(
    schedules.weekdays.flatMap((day) =>
      (['open', 'close'] as const).map((side) => [
        `${day}_${side}_hour`,
        company.hours[`${day}_${side}_hour`] ?? null,
      ]),
    ),
  ) as Pick<schedules.Schedule, `${schedules.Weekday}_${'open' | 'close'}_hour`>;
  return {
    id: plan.id,
    company_id: companyId,
    user_id: plan.user_id,
    label: routing.scheduleLabel(plan.preset, plan.voicemail),
    timezone: plan.timezone,
    preset: plan.preset,
    blocks,
    custom_blocks: plan.custom_blocks,
    exceptions: plan.exceptions.toSorted((a, b) => a.from.localeCompare(b.from)),
    ...hours,
    voicemail: plan.voicemail,
    updated_at: plan.updated_at?.toISOString() ?? null,
    used_by_count: usedBy,
    holidays: company.holidays
      .filter((one) => one.from >= today)
      .toSorted((a, b) => a.from.localeCompare(b.from))
      .slice(0, 11)
      .map(({ from, label }) => ({ date: from, label })),
  };
}
