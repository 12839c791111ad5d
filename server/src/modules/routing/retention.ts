import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: [
        'number_menu',
        'route',
        'route_last_answer',
        'route_round_robin',
        'schedule',
        'greeting',
        'flow_draft',
        'flow_version',
        'forward',
      ],
    },
  ],
};
