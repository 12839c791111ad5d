import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'number_reservation',
      ageColumn: 'expires_at',
      keepFor: '0',
      smallBecause: 'numbers in carts',
      reason: 'the reservation has expired',
    },
    {
      table: 'forward_attempt',
      ageColumn: 'at',
      keepFor: '31 days',
      reason: 'the answer rate of a forward covers 30 days',
    },
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: [
        'number',
        'number_event',
        'number_activity',
        'number_directory',
        'number_limit',
        'number_limit_request',
        'number_tag',
        'number_template',
        'number_trigger',
        'number_trigger_reply',
        'number_usage_day',
        'forward_contact',
        'carrier_failover',
      ],
    },
    { until: 'for good: evidence', tables: ['optin_proof'] },
    {
      until: 'for good: few rows, or the books of the simulated carrier',
      tables: ['carrier_account'],
    },
  ],
};
