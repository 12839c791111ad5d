import type { CallGroup } from '../call-analytics/rules.ts';

/** What a dashboard shows (A22). */
export const dashboardTypes = [
  'calls',
  'messages',
  'voicemails',
  'fax',
  'numbers',
  'sources',
  'agents',
  'outcomes',
  'heatmap',
  'campaigns',
] as const;
export type DashboardType = (typeof dashboardTypes)[number];

export const dashboardGroups = [
  'hour',
  'day',
  'week',
  'month',
  'weekday',
  'number',
  'company',
  'business_unit',
  'source',
  'user',
  'tag',
  'department',
  'sentiment',
  'phrase_list',
  'none',
] as const satisfies readonly CallGroup[];

/** Types that count texts, voicemails or faxes, and what those can be grouped by. */
export const itemTypes = ['messages', 'voicemails', 'fax'] as const;
export type ItemType = (typeof itemTypes)[number];
export const itemGroups = [
  'hour',
  'day',
  'week',
  'month',
  'weekday',
  'number',
  'company',
  'business_unit',
  'user',
  'none',
] as const satisfies readonly (typeof dashboardGroups)[number][];
export type ItemGroup = (typeof itemGroups)[number];

/** Types of calls whose group is their name. */
export const groupOfType = {
  numbers: 'number',
  sources: 'source',
  agents: 'user',
  outcomes: 'outcome',
  campaigns: 'campaign',
  heatmap: 'weekday',
} as const satisfies Partial<Record<DashboardType, CallGroup>>;

/** What a period is set against: as many days just before, or the same days some months earlier. */
export const comparisons = ['previous', '1_month', '3_months', '6_months', '1_year'] as const;
export type Comparison = (typeof comparisons)[number];

/** Seconds that a client can keep an answer while no event says that it changed. */
export const dashboardCacheSeconds = 15;
