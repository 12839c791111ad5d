import type { sourceReports } from '#contract';
import { t } from '#ui';

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
    company: t('Company'),
    day: t('Day'),
    hour: t('Hour'),
  })[group];

export const reportPeriods = ['today', 'week', 'month', 'quarter', 'year', 'custom'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

/** A period’s name, for choices. */
export const periodName = (period: ReportPeriod): string =>
  ({
    today: t('Today'),
    week: t('Last 7 days'),
    month: t('Last 30 days'),
    quarter: t('Last 90 days'),
    year: t('Last 365 days'),
    custom: t('Custom days'),
  })[period];

const days = { today: 1, week: 7, month: 30, quarter: 90, year: 365, custom: 30 } as const;

/** The days of a period that ends today, as the calls list counts them; of `custom` what to start from. */
export const reportRange = (period: ReportPeriod, today: string) => ({
  start: new Date(Date.parse(today) - (days[period] - 1) * 86_400_000).toISOString().slice(0, 10),
  end: today,
});
