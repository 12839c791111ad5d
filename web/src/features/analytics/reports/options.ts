import type { CallGroup, CallTarget } from '#contract/analytics/call-analytics/rules';
import type { CallPeriod } from '#contract/analytics/call-analytics/report-choices';
import { t } from '#ui';

/** What calls are grouped by, for choices and as the head of the first column. */
export const callGroupName = (group: CallGroup): string =>
  ({
    day: t('Day'),
    week: t('Week'),
    month: t('Month'),
    hour: t('Hour'),
    weekday: t('Weekday'),
    number: t('Your number'),
    source: t('Source'),
    campaign: t('Campaign'),
    user: t('Person'),
    forward: t('Forwarding contact'),
    extension: t('Extension'),
    company: t('Company'),
    business_unit: t('Organization'),
    department: t('Department'),
    outcome: t('Outcome'),
    tag: t('Tag'),
    sentiment: t('Sentiment'),
    phrase_list: t('Phrase list'),
    geo_state: t('State'),
    geo_area: t('Area code'),
    dni_pool: t('Tracking pool'),
    duration_bucket: t('Duration'),
    none: t('All calls'),
  })[group];

/** The groups that the screen offers, by kind; of an organization also its companies. */
export const groupChoices = (
  isOfOrganization: boolean,
): { group: string; items: CallGroup[] }[] => [
  { group: t('Time'), items: ['day', 'week', 'month', 'hour', 'weekday'] },
  {
    group: t('Who and where'),
    items: [
      ...(isOfOrganization ? (['company'] as const) : []),
      ...(['number', 'user', 'forward', 'extension', 'geo_state', 'geo_area'] as const),
    ],
  },
  { group: t('Marketing'), items: ['source', 'campaign', 'dni_pool'] },
  { group: t('Result'), items: ['outcome', 'department', 'tag', 'duration_bucket'] },
  { group: t('What was said'), items: ['phrase_list', 'sentiment'] },
];

/** The name of the figure that rows are ordered and drawn by. */
export const targetName = (target: CallTarget): string =>
  ({
    calls: t('Calls'),
    duration: t('Talk time'),
    unique: t('Unique callers'),
    answer_rate: t('Answer rate'),
    qualified: t('Qualified'),
    leads: t('Leads'),
    value: t('Value'),
  })[target];

/** A period’s name, for choices. */
export const callPeriodName = (period: CallPeriod): string =>
  ({
    today: t('Today'),
    week: t('Last 7 days'),
    month: t('Last 30 days'),
    quarter: t('Last 90 days'),
    year: t('Last 365 days'),
    custom: t('Custom days'),
  })[period];
