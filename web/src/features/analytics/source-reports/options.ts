import type { sourceReports } from '#contract';
import { t } from '#ui';
import { rangeOf, type DateRange, type Period } from '../ranges.ts';

type Group = sourceReports.ReportGroup;

/** What a report is grouped by, for choices and as the head of its first column. */
export const groupName = (group: Group): string =>
  ({
    source: t('Source'),
    medium: t('Medium'),
    campaign: t('Campaign'),
    keyword: t('Keyword'),
    landing: t('Landing page'),
    pool: t('Tracking pool'),
    number: t('Number'),
    device: t('Device'),
    region: t('Region'),
    day: t('Day'),
    hour: t('Hour'),
  })[group];

export const reportPeriods = ['today', 'week', 'month', 'quarter', 'year'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

/** A period’s name, for choices. */
export const periodName = (period: ReportPeriod): string =>
  ({
    today: t('Today'),
    week: t('Last 7 days'),
    month: t('Last 30 days'),
    quarter: t('Last 90 days'),
    year: t('Last 365 days'),
  })[period];

const YEAR_MS = 364 * 86_400_000;

/** The days of a period that ends today. */
export const reportRange = (period: ReportPeriod, today: string): DateRange =>
  period === 'year'
    ? { start: new Date(Date.parse(today) - YEAR_MS).toISOString().slice(0, 10), end: today }
    : rangeOf(period satisfies Period, today);
