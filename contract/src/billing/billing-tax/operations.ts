import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, instant, one } from '../../schemas.ts';
import { getBillingAccount } from '../billing-accounts/operations.ts';
import { taxRate } from '../tax-schema.ts';

const name = z.string().trim().max(40, 'At most 40 characters.');
const number = z.string().trim().max(40, 'At most 40 characters.');
const rule = z.object({
  name: z.string(),
  rate: taxRate,
  included: z.boolean(),
  seller_tax_id: z.string(),
});
const exampleRule = {
  name: 'Sales tax',
  rate: 8875,
  included: false,
  seller_tax_id: '84-1234567',
};
const answer = one(
  rule.extend({
    history: z
      .array(rule.extend({ id, changed_by: z.string(), changed_at: instant }))
      .meta({ description: 'The newest changes, newest first' }),
  }),
);
const answered = {
  data: {
    ...exampleRule,
    history: [
      { ...exampleRule, id: 7, changed_by: 'Ann Fox', changed_at: '2026-11-01T09:15:04.000Z' },
    ],
  },
};

export const getBillingTax = operation({
  summary: 'Get the tax on this server’s invoices, and who changed it; for platform staff',
  errors: ['billing.off'],
  answer,
  example: { answer: answered },
});

export const updateBillingTax = operation({
  summary:
    'Set the tax on invoices from now on. Issued invoices keep theirs; accounts with an exception keep it',
  body: z.object({
    name,
    rate: taxRate,
    included: z.boolean().meta({ description: 'Prices contain it; otherwise it is added' }),
    seller_tax_id: number
      .default('')
      .meta({ description: 'Your number at the tax office, printed on invoices' }),
  }),
  errors: ['billing.off'],
  answer,
  example: { body: exampleRule, answer: answered },
});

export const updateAccountTax = operation({
  summary: 'Tax an account as all others, not at all, or at a rate of its place',
  params: z.object({ companyId: id }),
  body: z.object({
    treatment: z.enum(['standard', 'exempt', 'rate']),
    reason: z
      .string()
      .trim()
      .max(100, 'At most 100 characters.')
      .optional()
      .meta({ description: 'Needed with `exempt`: printed on invoices' }),
    number: number.optional().meta({ description: 'Of the certificate that exempts it' }),
    name: name.optional().meta({ description: 'Needed with `rate`' }),
    rate: taxRate.optional().meta({ description: 'Needed with `rate`' }),
  }),
  errors: ['billing.off'],
  answer: getBillingAccount.answer,
  example: {
    params: { companyId: 1 },
    body: { treatment: 'exempt', reason: 'Resale', number: 'MA-4471' },
    answer: getBillingAccount.example.answer,
  },
});
