import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'alert',
      ageColumn: 'last_seen_at',
      keepFor: '400 days',
      atLeastDays: 60,
      reason: 'what went wrong in a year; its history goes with it',
    },
  ],
  kept: [
    { until: 'its alert goes', tables: ['alert_change', 'alert_sample'] },
    { until: 'the company goes: when it was checked', tables: ['alert_check'] },
  ],
};
