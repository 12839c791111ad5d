import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, instant, listQuery, one, pageOf } from '../../schemas.ts';
import { planIds } from '../plans.ts';
import { exampleSubscription, subscription } from '../schemas.ts';
import { subscriptionStates } from '../states.ts';
import { taxRate } from '../tax-schema.ts';

const params = z.object({ companyId: id });
const cents = z.number().int().min(1, 'Enter an amount.').max(100_000_000);
const reason = z.string().trim().min(1, 'Say why, for the invoice.').max(200);

const accountRow = z.object({
  company: z.object({ id, name: z.string() }),
  plan: z.enum(planIds).nullable(),
  state: z.enum(subscriptionStates),
  balance_cents: z.number(),
  past_due_since: instant.nullable(),
  period_end: instant.nullable(),
  suspended: z.boolean(),
});
const account = z.object({
  company: z.object({ id, name: z.string() }),
  subscription,
  suspended: z.boolean(),
  tax_exception: z
    .object({
      treatment: z.enum(['exempt', 'rate']),
      reason: z.string(),
      number: z.string(),
      name: z.string(),
      rate: taxRate,
    })
    .nullable()
    .meta({ description: 'Null: taxed as all others' }),
  has_clock: z.boolean().meta({ description: 'The sandbox: its clock can be moved' }),
  invoices: z.array(
    z.object({
      id,
      number: z.string(),
      kind: z.enum(['invoice', 'credit_note']),
      issued_at: instant,
      total_cents: z.number(),
      tax_cents: z.number(),
      due_cents: z.number(),
      refunded_cents: z.number(),
    }),
  ),
  entries: z
    .array(
      z.object({
        id,
        at: instant,
        kind: z.enum(['charge', 'payment', 'credit', 'refund', 'correction', 'tax']),
        amount_cents: z.number(),
        description: z.string(),
      }),
    )
    .meta({ description: 'The newest of the books' }),
});
const example = {
  company: { id: 1, name: 'Harbor Dental' },
  subscription: exampleSubscription,
  suspended: false,
  tax_exception: null,
  has_clock: true,
  invoices: [
    {
      id: 9,
      number: 'INV-000042',
      kind: 'invoice' as const,
      issued_at: '2026-11-01T09:15:04.000Z',
      total_cents: 3900,
      tax_cents: 0,
      due_cents: 0,
      refunded_cents: 0,
    },
  ],
  entries: [
    {
      id: 10,
      at: '2026-11-01T09:15:04.000Z',
      kind: 'charge' as const,
      amount_cents: 3900,
      description: 'INV-000042',
    },
  ],
};
const answer = one(account);
const answered = { data: example };

export const listBillingAccounts = operation({
  summary: 'List the accounts of all companies, those that owe most first; for platform staff',
  paged: true,
  query: listQuery(
    {
      search: z.string().max(100).optional(),
      state: z.enum(subscriptionStates).optional(),
    },
    { perPage: 25 },
  ),
  errors: ['billing.off'],
  answer: pageOf(accountRow),
  example: {
    answer: {
      data: [
        {
          company: example.company,
          plan: 'unlimited_monthly' as const,
          state: 'active' as const,
          balance_cents: 0,
          past_due_since: null,
          period_end: '2026-12-01T09:15:04.000Z',
          suspended: false,
        },
      ],
    },
  },
});

export const getBillingAccount = operation({
  summary: 'Get the plan, invoices and books of a company; for platform staff',
  params,
  errors: ['billing.off'],
  answer,
  example: { params: { companyId: 1 }, answer: answered },
});

export const recordPayment = operation({
  summary: 'Enter a payment that came outside of the server; the oldest invoices are paid first',
  params,
  body: z.object({
    amount_cents: cents,
    reference: z
      .string()
      .trim()
      .min(1, 'Enter the reference of the transfer.')
      .max(100)
      .meta({ description: 'Of the bank or the check. The same one is entered once' }),
  }),
  errors: ['billing.off', 'billing.payment_known'],
  answer,
  example: {
    params: { companyId: 1 },
    body: { amount_cents: 3900, reference: 'Check 1042' },
    answer: answered,
  },
});

export const creditAccount = operation({
  summary:
    'Credit an amount with the tax in it, with a credit note. It pays what is owed, or the next invoice',
  params,
  body: z.object({ amount_cents: cents, reason }),
  errors: ['billing.off'],
  answer,
  example: {
    params: { companyId: 1 },
    body: { amount_cents: 500, reason: 'Two hours without calls on November 3' },
    answer: answered,
  },
});

export const refundInvoice = operation({
  summary:
    'Pay money of a paid invoice back, with a credit note: to the card that paid it, or by hand where none did',
  params,
  body: z.object({
    invoice_id: id,
    amount_cents: cents.optional().meta({ description: 'Default: what wasn’t refunded yet' }),
    reason,
    ends_plan: z.boolean().default(false).meta({ description: 'The plan ends at once' }),
  }),
  errors: [
    'billing.off',
    'billing.refund_too_much',
    'billing.refund_refused',
    'billing.not_paid',
    'subscription.past_due',
  ],
  answer,
  example: {
    params: { companyId: 1 },
    body: { invoice_id: 9, reason: 'Bought by mistake', ends_plan: false },
    answer: answered,
  },
});

export const moveBillingClock = operation({
  summary:
    'Let days pass for a company of the sandbox: periods end, invoices are issued, unpaid plans are reminded of',
  params,
  body: z.object({ days: z.number().int().min(1).max(62) }),
  errors: ['billing.off', 'billing.no_clock'],
  answer,
  example: { params: { companyId: 1 }, body: { days: 5 }, answer: answered },
});
