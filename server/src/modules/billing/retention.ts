import type { Retention } from '../../platform/retention-rule.ts';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [],
  kept: [
    {
      until: 'the company goes: its books',
      tables: [
        'ledger_entry',
        'payment_attempt',
        'payment_refund',
        'subscription',
        'billing_details',
        'usage_entry',
        'invoice',
        'invoice_line',
        'yearly_upgrade_offer',
        'billing_tax_exception',
      ],
    },
    { until: 'its campaign ends', tables: ['usage_reservation'] },
    { until: 'for good: one row', tables: ['invoice_counter'] },
    { until: 'for good: one row a change', tables: ['billing_tax'] },
    { until: 'someone removes it', tables: ['billing_contact'] },
  ],
};
