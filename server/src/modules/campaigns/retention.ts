import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [],
  kept: [
    {
      until: 'the company goes: calls, conversations and campaigns',
      tables: [
        'campaign',
        'campaign_requeue',
        'campaign_batch',
        'campaign_recipient',
        'campaign_text',
      ],
    },
  ],
};
