import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import type { DashboardType } from '#contract/analytics/dashboard/rules';
import { t } from '#ui';

/** A part of the dashboard that is a list of rows: what it asks, and what its rows are. */
export interface ListPart {
  title: string;
  group: CallGroup;
  type: DashboardType;
  groupBy?: 'sentiment' | 'phrase_list' | 'tag';
}

/** The lists of the dashboard in their order, as screen, picture and file have them. */
export const listParts = (): ListPart[] => [
  { title: t('Sources'), group: 'source', type: 'sources' },
  { title: t('Your numbers'), group: 'number', type: 'numbers' },
  { title: t('Outcomes'), group: 'outcome', type: 'outcomes' },
  { title: t('People'), group: 'user', type: 'agents' },
  { title: t('Ad campaigns'), group: 'campaign', type: 'campaigns' },
  { title: t('Sentiment'), group: 'sentiment', type: 'calls', groupBy: 'sentiment' },
  { title: t('Phrases'), group: 'phrase_list', type: 'calls', groupBy: 'phrase_list' },
  { title: t('Tags'), group: 'tag', type: 'calls', groupBy: 'tag' },
];
