import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'tracking_visit',
      ageColumn: 'started_at',
      keepFor: '400 days',
      atLeastDays: 1,
      reason: 'calls are attributed to visits of up to a year before',
    },
    {
      table: 'tracking_lease',
      ageColumn: 'started_at',
      keepFor: '400 days',
      atLeastDays: 1,
      reason: 'who saw which number, as long as the visit is there',
    },
    {
      table: 'tracking_match',
      ageColumn: 'at',
      keepFor: '400 days',
      atLeastDays: 1,
      reason:
        'why a call is from which visit, as long as the visit is there; the call keeps its source',
    },
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: ['tracking_source', 'tracking_pool', 'tracking_pool_number'],
    },
  ],
};
