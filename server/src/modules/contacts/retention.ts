import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'contact_bulk_change',
      ageColumn: 'at',
      keepFor: '30 days',
      reason: 'bulk actions on contacts can be undone for 30 days',
    },
    {
      table: 'contact_import_chunk',
      ageColumn: 'at',
      keepFor: '30 days',
      atLeastDays: 1,
      reason: 'the result of each row: undo works for a day, the results file lives 30 days',
    },
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: [
        'contact',
        'contact_number',
        'contact_group',
        'contact_group_member',
        'contact_label',
        'contact_label_use',
        'contact_group_count',
        'contact_activity',
        'contact_crm_record',
        'contact_merge',
        'contact_import',
        'contact_import_mapping',
      ],
    },
    { until: 'for good: evidence', tables: ['opt_out', 'opt_out_history'] },
  ],
};
