import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'tag',
      ageColumn: 'deleted_at',
      keepFor: '30 days',
      where: 'deleted_at is not null',
      reason: 'deleted tags can be restored for 30 days',
    },
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: [
        'organization_field',
        'organization_field_value',
        'organization_tag',
        'field',
        'field_override',
        'field_value',
        'field_history',
        'column_preset',
        'column_preset_default',
      ],
    },
  ],
};
