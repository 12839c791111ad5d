import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: [
        'tenant',
        'tenant_domain',
        'support_ticket',
        'support_reply',
        'branding_picture',
        'audit_stream',
        'audit_numbering',
      ],
    },
    { until: 'its entry of the audit log goes', tables: ['audit_position'] },
  ],
};
