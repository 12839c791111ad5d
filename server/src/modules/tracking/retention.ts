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
    {
      table: 'tracking_hit',
      ageColumn: 'at',
      keepFor: '90 days',
      atLeastDays: 1,
      dropsDays: 'drop_tracking_hit_days',
      reason: 'page views and events of visits; whole days go at once',
    },
    {
      table: 'tracking_hit_count',
      ageColumn: 'hour',
      keepFor: '7 days',
      atLeastDays: 1,
      reason: 'what wasn’t counted and why, of the last day',
    },
    {
      table: 'tracking_site',
      ageColumn: 'last_seen_at',
      keepFor: '400 days',
      atLeastDays: 1,
      reason: 'where the script was heard from, until it hasn’t been for a year',
    },
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: ['tracking_source', 'tracking_pool', 'tracking_pool_number', 'tracking_script'],
    },
  ],
};
