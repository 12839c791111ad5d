import type { Comparison } from '#contract/analytics/dashboard/rules';
import { t } from '#ui';

/** The choices of the dashboard, as they are in its address. */
export const startChoices = {
  /** All companies of this organization; empty: the selected company. */
  organization: '',
  /** One of them. */
  company: '',
  period: 'month',
  from: '',
  to: '',
  against: 'previous',
  number: '',
  source: '',
  phrases: '',
  mood: '',
  tag: '',
};
export type DashboardChoices = typeof startChoices;

/** What a period is set against, for choices. */
export const comparisonName = (comparison: Comparison): string =>
  ({
    previous: t('Previous period'),
    '1_month': t('A month earlier'),
    '3_months': t('Three months earlier'),
    '6_months': t('Six months earlier'),
    '1_year': t('A year earlier'),
  })[comparison];

/** The dashboard with these choices. */
export function dashboardAddress(choices: Partial<DashboardChoices>): string {
  const search = new URLSearchParams(
    Object.entries(choices).filter(
      ([key, value]) => value && value !== startChoices[key as keyof DashboardChoices],
    ),
  ).toString();
  return `/analytics/dashboard${search && `?${search}`}`;
}
