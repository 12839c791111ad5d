import { z } from 'zod';
import { operation } from '../operation.ts';
import { companyIn, id, instant, one } from '../schemas.ts';
import { payment } from './payment.ts';
import { billingModes, cardPages } from './rules.ts';
import { paymentMethod } from './schemas.ts';

const params = z.object({ companyId: id });
const line = (max: number) => z.string().trim().max(max, `At most ${max} characters.`);

const billing = z.object({
  billing_name: z.string(),
  billing_address: z.string(),
  billing_address_2: z.string(),
  billing_city: z.string(),
  billing_state: z.string(),
  billing_zip: z.string(),
  billing_country: z.string(),
  provider: z.enum(billingModes),
  takes_cards: z.boolean(),
  payment_method: paymentMethod.nullable(),
  balance_cents: z.number(),
  currency: z.string(),
});
const example = {
  billing_name: 'Harbor Dental LLC',
  billing_address: '12 Pier Street',
  billing_address_2: '',
  billing_city: 'Boston',
  billing_state: 'MA',
  billing_zip: '02110',
  billing_country: 'US',
  provider: 'sandbox' as const,
  takes_cards: true,
  payment_method: { brand: 'Visa', last4: '4242', exp: '09/2029', expires_soon: false },
  balance_cents: 0,
  currency: 'USD',
};

export const companyBilling = operation({
  summary: 'Get the billing address, the card on file and what is owed',
  params,
  errors: ['billing.off'],
  answer: one(billing),
  example: { params: { companyId: 1 }, answer: { data: example } },
});

export const updateCompanyBilling = operation({
  summary:
    'Save the billing address, and a card by the token of the payment provider. What is owed is charged to a new card at once',
  params,
  body: z.object({
    billing_name: line(120).optional(),
    billing_address: line(200).optional(),
    billing_address_2: line(200).optional(),
    billing_city: line(100).optional(),
    billing_state: line(60).optional(),
    billing_zip: line(20).optional(),
    billing_country: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^([A-Z]{2})?$/, 'Use a two-letter country code, such as US.')
      .optional(),
    payment_token: z.string().max(2000).optional().meta({ description: 'Of the provider’s field' }),
    cc_number: z
      .string()
      .max(40)
      .optional()
      .meta({ description: 'Test cards of the sandbox only' }),
    cc_exp: z.string().max(10).optional().meta({ description: 'MM/YY, with a test card' }),
    cc_cvc: z.string().max(10).optional().meta({ description: 'With a test card' }),
  }),
  errors: [
    'billing.off',
    'billing.by_invoice',
    'billing.card_declined',
    'billing.card_token',
    'billing.card_number',
    'billing.unreachable',
  ],
  answer: z.object({ data: billing, meta: z.object({ payment }) }),
  example: {
    params: { companyId: 1 },
    body: { billing_name: 'Harbor Dental LLC', billing_zip: '02110' },
    answer: {
      data: example,
      meta: { payment: { state: 'none', message: 'Saved.', confirm_url: null } },
    },
  },
});

export const retryPayment = operation({
  summary: 'Charge what is owed to the card on file',
  params,
  body: z.object({
    confirmed: z.literal(true).optional().meta({
      description:
        'Charges nothing new: asks what became of a payment that waited for the person’s bank',
    }),
  }),
  errors: [
    'billing.off',
    'billing.by_invoice',
    'billing.no_card',
    'billing.card_declined',
    'billing.paying',
    'billing.unreachable',
    'subscription.nothing_due',
  ],
  answer: z.object({ data: billing, meta: z.object({ payment }) }),
  example: {
    params: { companyId: 1 },
    body: {},
    answer: {
      data: example,
      meta: { payment: { state: 'paid', message: 'Paid $39. Thank you.', confirm_url: null } },
    },
  },
});

export const cardSecurityToken = operation({
  summary: 'Get what a card is entered with: a token for the card field, or the provider’s page',
  query: z.object({
    ...companyIn,
    return_to: z
      .enum(cardPages)
      .optional()
      .meta({ description: 'The page that the provider’s page leads back to, with `?card=`' }),
  }),
  errors: ['billing.off', 'billing.by_invoice', 'billing.unreachable'],
  answer: one(
    z.object({
      token: z
        .string()
        .nullable()
        .meta({ description: 'Short-lived, for the card field. Null: there is a page instead' }),
      provider: z.string(),
      tokens_url: z
        .string()
        .nullable()
        .meta({ description: 'Where the card field sends the card' }),
      page_url: z.string().nullable().meta({
        description:
          'The provider’s page where the person enters the card. It leads back with `?card=` and the `payment_token` to save',
      }),
      expires_at: instant,
    }),
  ),
  example: {
    query: { company_id: 1 },
    answer: {
      data: {
        token: 'eyJjb21wYW55IjoxfQ.c2lnbmF0dXJl',
        provider: 'sandbox',
        tokens_url: '/sandbox/payments/tokens',
        page_url: null,
        expires_at: '2026-11-21T09:30:04.000Z',
      },
    },
  },
});
