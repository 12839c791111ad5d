import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'report_link',
      ageColumn: 'expires_at',
      keepFor: '30 days',
      atLeastDays: 1,
      reason: 'links to reports, after they expired',
    },
    {
      table: 'source_report',
      ageColumn: 'created_at',
      keepFor: '400 days',
      atLeastDays: 1,
      reason: 'saved runs of reports, as long as the visits they count',
    },
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: [
        ...['figure_hour', 'figure_change'],
        ...['call_rollup', 'call_rollup_change', 'call_rollup_company'],
        ...['item_rollup', 'item_rollup_change', 'item_rollup_company'],
      ],
    },
    {
      until: 'the person removes them, or the company goes: shortcuts to reports',
      tables: ['favorite_report'],
    },
  ],
};
