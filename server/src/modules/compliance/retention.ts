import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: ['block', 'sms_brand', 'sms_campaign', 'sms_campaign_number'],
    },
    {
      until: 'for good: evidence',
      tables: ['registration_event', 'registration_review', 'possible_opt_out'],
    },
  ],
};
