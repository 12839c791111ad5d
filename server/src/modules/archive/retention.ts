import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    // All of them before their batches, which hold their progress and go after 90 days.
    {
      table: 'field_update_change',
      ageColumn: 'at',
      keepFor: '7 days',
      atLeastDays: 2,
      reason: 'files of custom fields can be undone for a day',
    },
    {
      table: 'field_update',
      ageColumn: 'created_at',
      keepFor: '60 days',
      atLeastDays: 7,
      reason: 'who changed custom fields by which file',
    },
    {
      table: 'organization_field_update',
      ageColumn: 'created_at',
      keepFor: '60 days',
      atLeastDays: 7,
      reason: 'who changed custom fields by which file',
    },
    {
      table: 'erased_number',
      ageColumn: 'erased_at',
      keepFor: '1825 days',
      atLeastDays: 365,
      reason: 'an archive written before a person was erased doesn’t bring them back',
    },
    {
      // The uploaded bytes are gone by then: a job deletes them after the import or after 7 days.
      table: 'company_import',
      ageColumn: 'created_at',
      keepFor: '365 days',
      where: `parts = '[]'`,
      atLeastDays: 30,
      reason: 'who imported which company from which archive',
    },
  ],
  kept: [{ until: 'the hold ends', tables: ['legal_hold'] }],
};
