import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'delivery',
      ageColumn: 'created_at',
      keepFor: '90 days',
      atLeastDays: 31,
      reason: 'what was delivered where, without contact details',
    },
    {
      table: 'delivered_record',
      ageColumn: 'updated_at',
      keepFor: '90 days',
      atLeastDays: 31,
      reason: 'what receivers call people and calls; they are found there again afterwards',
    },
  ],
  kept: [
    { until: 'its delivery goes: each of its tries', tables: ['delivery_attempt'] },
    {
      until: 'the company goes: where it delivers to',
      tables: ['destination', 'oauth_integration'],
    },
  ],
};
