import { z } from 'zod';
import { operation } from '../../operation.ts';
import { id, instant, listQuery, one, pageOf } from '../../schemas.ts';
import { usageComponentNames } from '../usage.ts';
import { tax } from '../tax-schema.ts';
import { examplePlan, exampleSubscription, plan, subscription } from '../schemas.ts';

const params = z.object({ companyId: id });

export const getSubscription = operation({
  summary: 'Get the company’s plan, its state, and what comes next',
  params,
  errors: ['billing.off'],
  answer: one(subscription),
  example: { params: { companyId: 1 }, answer: { data: exampleSubscription } },
});

export const updateSubscription = operation({
  summary: 'Choose whether invoices are mailed',
  params,
  body: z.object({ receivesInvoiceEmails: z.boolean() }),
  errors: ['billing.off'],
  answer: one(subscription),
  example: {
    params: { companyId: 1 },
    body: { receivesInvoiceEmails: false },
    answer: { data: { ...exampleSubscription, receivesInvoiceEmails: false } },
  },
});

export const listPlans = operation({
  summary: 'List the plans that can be bought, and the company’s own',
  params,
  errors: ['billing.off'],
  answer: one(z.array(plan)),
  example: { params: { companyId: 1 }, answer: { data: [examplePlan] } },
});

const usageComponent = z.object({
  key: z.enum(usageComponentNames),
  label: z.string(),
  unit: z.string(),
  included: z.number().nullable().meta({ description: 'Left for it in the plan; null: no limit' }),
  used: z.number(),
  seconds: z.number().nullable().meta({ description: 'What was really used, of minutes' }),
  remaining: z.number().nullable(),
  overage_qty: z.number(),
  overage_cents: z.number(),
  unit_cents: z.number(),
  period_start: instant,
  period_end: instant,
  series: z.array(z.object({ date: z.string(), qty: z.number() })),
});

export const usageComponents = operation({
  summary: 'Get what was used in the current period, what of it the plan includes, and by day',
  params,
  answer: one(z.array(usageComponent)),
  example: {
    params: { companyId: 1 },
    answer: {
      data: [
        {
          key: 'voice_minutes',
          label: 'Minutes of inbound calls',
          unit: 'minutes',
          included: 5000,
          used: 412,
          seconds: 21_804,
          remaining: 4588,
          overage_qty: 0,
          overage_cents: 0,
          unit_cents: 4,
          period_start: '2026-11-01T09:15:04.000Z',
          period_end: '2026-12-01T09:15:04.000Z',
          series: [{ date: '2026-11-02', qty: 31 }],
        },
      ],
    },
  },
});

const simple = z.object({ used: z.number(), included: z.number().nullable() });

export const usageSimple = operation({
  summary: 'Get minutes, text credits and numbers of the current period, and the next total',
  params,
  answer: one(
    z.object({
      voice_minutes: simple,
      text_credits: simple,
      numbers: simple,
      estimated_total_cents: z
        .number()
        .meta({ description: 'The next invoice: the plan, usage beyond it so far, and tax' }),
      estimated_tax_cents: z.number().meta({ description: 'The tax in it' }),
      spend: z.object({
        cents: z.number().meta({ description: 'For what was used beyond the plan' }),
        limit_cents: z
          .number()
          .nullable()
          .meta({ description: 'The setting `spend_limit_cents`; null: no limit' }),
      }),
    }),
  ),
  example: {
    params: { companyId: 1 },
    answer: {
      data: {
        voice_minutes: { used: 412, included: 5000 },
        text_credits: { used: 80, included: 500 },
        numbers: { used: 3, included: 3 },
        estimated_total_cents: 3900,
        estimated_tax_cents: 0,
        spend: { cents: 0, limit_cents: 5000 },
      },
    },
  },
});

const invoice = z.object({
  id,
  number: z.string(),
  kind: z.enum(['invoice', 'credit_note']),
  issued_at: instant,
  period: z.object({ start: instant, end: instant }),
  currency: z.string(),
  total_cents: z.number(),
  tax_cents: z.number().meta({ description: 'Part of the total' }),
  tax: tax.nullable().meta({ description: 'As it was when the invoice was issued; null: none' }),
  due_cents: z.number(),
  status: z.enum(['paid', 'open', 'void', 'refunded']),
  pdf_url: z.string(),
  lines: z.array(
    z.object({
      kind: z.enum(['plan', 'usage', 'proration', 'credit']),
      description: z.string(),
      quantity: z.number(),
      unit_cents: z.number(),
      amount_cents: z.number(),
    }),
  ),
});

export const listInvoices = operation({
  summary: 'List invoices, newest first',
  paged: true,
  params,
  query: listQuery({}, { perPage: 25, max: 100 }),
  errors: ['billing.off'],
  answer: pageOf(invoice),
  example: {
    params: { companyId: 1 },
    answer: {
      data: [
        {
          id: 12,
          number: 'INV-000042',
          kind: 'invoice',
          issued_at: '2026-11-01T09:15:04.000Z',
          period: { start: '2026-11-01T09:15:04.000Z', end: '2026-12-01T09:15:04.000Z' },
          currency: 'USD',
          total_cents: 3900,
          tax_cents: 0,
          tax: null,
          due_cents: 0,
          status: 'paid',
          pdf_url: '/api/company/1/invoices/12/pdf',
          lines: [
            {
              kind: 'plan',
              description: 'Unlimited, monthly',
              quantity: 1,
              unit_cents: 3900,
              amount_cents: 3900,
            },
          ],
        },
      ],
    },
  },
});

export const invoicePdf = operation({
  summary: 'Get an invoice as PDF',
  object: { table: 'invoice', param: 'id' },
  params: z.object({ companyId: id, id }),
  answer: z.unknown(),
  binary: true,
  contentType: 'application/pdf',
  errors: ['billing.off'],
  example: { params: { companyId: 1, id: 12 } },
});

export * from './operations-of-changes.ts';
