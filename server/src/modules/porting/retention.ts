import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: ['port_request', 'port_number', 'port_document', 'port_event'],
    },
  ],
};
