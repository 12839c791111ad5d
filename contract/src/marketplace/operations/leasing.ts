import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id, instant, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { marketplaceSorts } from '../rules.ts';
import { cents, marketplaceDetail, offer, publicListing, words } from '../schemas.ts';
import { at, publicExample, detailExample, ofNumber, mine, params, filters } from './shared.ts';

export const listListings = operation({
  summary: 'List numbers that can be leased now, from all owners',
  paged: true,
  query: listQuery({ ...filters, sort: sortBy(...marketplaceSorts) }, { perPage: 25 }),
  answer: pageOf(publicListing),
  example: { query: { tier: 'premium' }, answer: { data: [publicExample] } },
});

export const inquireListing = operation({
  summary: 'Send a question about a listed number',
  params: ofNumber,
  status: 201,
  body: z.object({ message: words(2000).min(1, 'Enter your question.') }),
  answer: one(z.object({ id })),
  errors: ['marketplace.not_now'],
  example: {
    params,
    body: { message: 'Is it available from January?' },
    answer: { data: { id: 5 } },
  },
});

export const makeOffer = operation({
  summary: 'Make an offer for the monthly price',
  params: ofNumber,
  status: 201,
  body: z.object({
    amount_cents: cents.min(1, 'Enter an amount.'),
    term_months: z.coerce
      .number<number>()
      .int()
      .min(1, 'At least one month.')
      .max(120, 'At most 120 months.')
      .default(12),
    message: words(2000).default(''),
    ...companyIn,
  }),
  answer: one(offer),
  errors: ['marketplace.not_now', 'marketplace.own', 'marketplace.fixed_price'],
  example: {
    params,
    body: { amount_cents: 8500, term_months: 24 },
    answer: { data: detailExample.offers[0] },
  },
});

export const decideOffer = operation({
  ...mine,
  summary: 'Accept (reserves the number for the buyer) or decline an offer',
  params: ofNumber.extend({ offerId: id }),
  body: z.object({
    decision: z.enum(['accept', 'decline'], 'Choose accept or decline.'),
    ...companyIn,
  }),
  answer: one(marketplaceDetail),
  errors: ['marketplace.not_now', 'marketplace.taken'],
  example: {
    params: { id: 51, offerId: 7 },
    body: { decision: 'accept' },
    answer: { data: detailExample },
  },
});

export const endLease = operation({
  ...mine,
  summary: 'Give notice: the lease isn’t renewed, and the number returns at the end of its term',
  body: z.object({ ...companyIn }),
  answer: one(marketplaceDetail),
  errors: ['marketplace.not_now'],
  example: {
    params,
    body: {},
    answer: {
      data: {
        ...detailExample,
        status: 'leased',
        leased_at: at,
        lease_ends_at: at,
        lease_notice_at: at,
        may_become: [],
      },
    },
  },
});

export const renewLease = operation({
  summary: 'Renew a lease as the lessee for the same term at the same price, in its last 60 days',
  params: ofNumber,
  body: z.object({ ...companyIn }),
  answer: one(
    z.object({
      number: z.string(),
      ends_at: instant,
      monthly_cents: z.number(),
      term_months: z.number(),
    }),
  ),
  errors: ['marketplace.not_renewed', 'marketplace.renewal_early'],
  example: {
    params,
    body: {},
    answer: { data: { number: '+18005553368', ends_at: at, monthly_cents: 9900, term_months: 12 } },
  },
});

export const reserveListing = operation({
  summary:
    'Start checkout: the number is reserved for you for 15 minutes. The first of two buyers to complete checkout gets it',
  params: ofNumber,
  body: z.object({ ...companyIn }),
  answer: one(z.object({ reserved_until: instant, listing: publicListing })),
  errors: ['marketplace.taken', 'marketplace.own', 'marketplace.offer_needed'],
  example: { params, body: {}, answer: { data: { reserved_until: at, listing: publicExample } } },
});

export const leaseListing = operation({
  summary: 'Complete checkout: the number becomes one of the company’s numbers',
  params: ofNumber,
  body: z.object({
    term_months: z.coerce
      .number<number>()
      .int()
      .min(1, 'At least one month.')
      .max(120, 'At most 120 months.')
      .optional()
      .meta({ description: 'Without it, the shortest term; an assignment has none' }),
    ...companyIn,
  }),
  answer: one(
    z.object({
      number: z.string(),
      type: z.enum(['lease', 'assignment']),
      monthly_cents: z.number(),
      setup_cents: z.number(),
      term_months: z.number().nullable(),
      ends_at: instant.nullable(),
    }),
  ),
  errors: ['marketplace.taken', 'marketplace.own', 'marketplace.offer_needed', 'numbers.taken'],
  example: {
    params,
    body: { term_months: 12 },
    answer: {
      data: {
        number: '+18005553368',
        type: 'lease',
        monthly_cents: 9900,
        setup_cents: 0,
        term_months: 12,
        ends_at: at,
      },
    },
  },
});
