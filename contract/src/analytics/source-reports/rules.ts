export const reportGroups = [
  'source',
  'medium',
  'campaign',
  'keyword',
  'landing',
  'pool',
  'number',
  'device',
  'region',
  'company',
  'day',
  'hour',
] as const;
export type ReportGroup = (typeof reportGroups)[number];

export const reportLimits = {
  /** Of a period. */
  days: 366,
  /** That one report reads. */
  calls: 50_000,
  /** Rows of an answer; the rest are one row. */
  rows: 500,
  /** Of an organization. */
  companies: 100,
} as const;

/** Keys of rows for visits that have no such fact, and for all that fit in no row of their own. */
export const [noneKey, otherKey] = ['(none)', '(other)'];
