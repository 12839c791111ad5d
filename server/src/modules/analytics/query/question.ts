import { createHash } from 'node:crypto';
import type { AttributionModel } from '#contract/tracking/pool-rules';
import {
  callAnalyticsLimits,
  type CallGroup,
  type CallTarget,
  type TimeGroup,
} from '#contract/analytics/call-analytics/rules';
import type { Comparison } from '#contract/analytics/dashboard/rules';
import type { CallFilters } from '#contract/analytics/call-analytics/schemas';
import { invalid } from '../../../platform/errors.ts';
import { isKnownZone } from '../../companies/index.ts';

/** Days of a zone, both included; `until` cuts the last of them at a local time: `14:30:00`. */
export interface Range {
  start: string;
  end: string;
  until?: string | undefined;
}
/** A question about calls, as it is stored: whoever asks adds what they can see. */
export interface Question {
  range: Range;
  tz: string;
  group: CallGroup;
  /** The rows' target in time, too; null: no series. */
  series: TimeGroup | null;
  target: CallTarget;
  filters: Omit<CallFilters, 'company_ids' | 'business_unit_ids' | 'attribution_model'>;
  companyIds: readonly number[];
  businessUnitIds: readonly number[];
  attributionModel: AttributionModel | null;
  /** Different callers aren’t asked for, which are counted call by call. */
  withoutCallers?: boolean;
  /** Of texts: only those of campaigns, or only the others. */
  fromCampaign?: boolean | undefined;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** The day and time of day in a zone: `2026-11-21`, `09:15:04`. */
export function localTime(at: Date, tz: string): { day: string; time: string } {
  // Sweden writes dates as ISO 8601 does.
  const [day = '', time = ''] = at.toLocaleString('sv-SE', { timeZone: tz }).split(' ');
  return { day, time };
}
/** A day some days later (negative: earlier). */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
/** How many days a range has. */
export const daysIn = ({ start, end }: Range): number =>
  (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;

/** The same number of days, just before. */
export const daysBefore = ({ start, end }: Range): Range => {
  const days = daysIn({ start, end });
  return { start: dayAfter(start, -days), end: dayAfter(end, -days) };
};

/** The same day some months earlier, or the month’s last day when it is shorter. */
function monthsBefore(day: string, months: number): string {
  const [year = 0, month = 1, of = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 - months, Math.min(of, last)))
    .toISOString()
    .slice(0, 10);
}

const months = { '1_month': 1, '3_months': 3, '6_months': 6, '1_year': 12 } as const;
/** The days that a range is set against: as many, ending on the shifted last day. */
export function comparedRange(range: Range, comparison: Comparison): Range {
  if (comparison === 'previous') return daysBefore(range);
  const end = monthsBefore(range.end, months[comparison]);
  return { start: dayAfter(end, 1 - daysIn(range)), end };
}

/** Longer ranges have no points. */
const MOST_POINTS = 400;
/** Every day of a range, or with `isHourly` hour of its first day: `2026-11-21T09:00`. */
export function pointsWithin(range: Range, isHourly: boolean): string[] {
  if (isHourly)
    return Array.from({ length: 24 }, (_, n) => `${range.start}T${String(n).padStart(2, '0')}:00`);
  const days = daysIn(range);
  return Array.from({ length: days > MOST_POINTS ? 0 : days }, (_, n) => dayAfter(range.start, n));
}

/**
 * What was asked, complete. Fails with a field error for an unknown time zone and for a period that
 * ends before it begins or is too long.
 */
export function readQuestion(
  asked: Partial<CallFilters> & {
    start?: string | undefined;
    end?: string | undefined;
    tz: string;
    group: CallGroup;
    series?: TimeGroup | undefined;
    unique?: boolean | undefined;
    target: CallTarget;
  },
  now: Date,
): Question {
  const { start, end, tz, group, series, target, unique, ...given } = asked;
  // Names only: the database reads the sign of an offset the other way round.
  if (!isKnownZone(tz)) invalid({ tz: 'Choose a time zone from the list.' });
  const last = end ?? localTime(now, tz).day;
  const range = { start: start ?? dayAfter(last, 1 - DEFAULT_DAYS), end: last };
  if (range.start > range.end) invalid({ end: 'Choose an end date on or after the start date.' });
  if (daysIn(range) > callAnalyticsLimits.days)
    invalid({ end: `Choose at most ${callAnalyticsLimits.days} days.` });
  if (unique === false && target === 'unique')
    invalid({ unique: 'The target is different callers. Leave out unique.' });
  const { company_ids, business_unit_ids, attribution_model, direction, ...filters } = given;
  return {
    range,
    tz,
    group,
    series: series ?? null,
    target,
    filters: { direction: direction ?? 'inbound', ...filters },
    companyIds: company_ids ?? [],
    businessUnitIds: business_unit_ids ?? [],
    attributionModel: attribution_model ?? null,
    withoutCallers: unique === false,
  };
}

/** Whether the question is about sources by a model. Other groups are the same by every model. */
export const needsCredit = ({ attributionModel, group, filters }: Question): boolean =>
  attributionModel !== null &&
  (group === 'source' || group === 'campaign' || !!filters.sources || !!filters.campaigns);

/** A value with its keys in order and without what is undefined: the same text for the same question. */
const ordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(ordered).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, inner]) => inner !== undefined)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, ordered(inner)]),
        )
      : value;

/** The same for two questions that count the same calls in the same way. */
const hashOf = ({ withoutCallers: _, ...question }: Question): string =>
  createHash('sha256')
    .update(JSON.stringify(ordered(question)))
    .digest('hex');

/** What every answer says of its question. */
export const metaOf = (question: Question, now: Date) => ({
  as_of: now.toISOString(),
  tz: question.tz,
  start: question.range.start,
  end: question.range.end,
  group: question.group,
  target: question.target,
  filter_hash: hashOf(question),
});
