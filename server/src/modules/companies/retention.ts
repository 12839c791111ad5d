import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: [
        'company',
        'membership',
        'invitation',
        'organization',
        'organization_admin',
        'data_group',
        'data_group_entity',
        'team',
        'team_member',
        'ownership_transfer',
        'setting_value',
        'setting_change',
        'sso_connection',
        'sso_domain',
        'sso_access',
        'scim_token',
        'scim_user',
        'scim_group',
        'scim_group_member',
      ],
    },
    { until: 'for good: evidence', tables: ['admin_entry', 'remote_login'] },
  ],
};
