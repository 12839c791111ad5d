import { z } from 'zod';
import { operation } from '../operation.ts';
import { companyIn, id, instant, listQuery, one, pageOf, sortBy } from '../schemas.ts';
import { marketplaceSorts, termsOf } from './rules.ts';
import {
  cents,
  marketplaceDetail,
  type MarketplaceDetail,
  marketplaceNumber,
  type MarketplaceNumber,
  marketplacePatch,
  offer,
  publicListing,
  type PublicListing,
  status,
  tier,
  words,
} from './schemas.ts';

const row = marketplaceNumber;

const at = '2026-11-21T09:15:04.000Z';

/** What both sides see of the example. */
const shownExample = {
  id: 51,
  number: '+18005553368',
  formatted: '(800) 555-3368',
  vanity_text: '800-555-DENT',
  words: ['DENT'],
  category: 'toll_free' as const,
  area_code: '800',
  region: '',
  tier: 'premium' as const,
  pattern: null,
  exclusive_area: { states: [], area_codes: [] },
  industries: ['healthcare'],
  description: 'For dentists anywhere in the country.',
  seo_slug: '800-555-dent',
  images: [],
  featured: true,
  portable: true,
  legal_notice: 'Toll-free numbers are a public resource.',
  listed_at: at,
  terms: termsOf('lease'),
};

const example: MarketplaceNumber = {
  ...shownExample,
  number_id: null,
  channel: 'own',
  partner_name: null,
  status: 'listed',
  pricing: {
    type: 'lease',
    monthly_cents: 9900,
    setup_cents: 0,
    minimum_term_months: 12,
    minimum_offer_cents: null,
    currency: 'USD',
  },
  respOrg: 'TRK01',
  reserved_until: null,
  lessee_company_id: null,
  lessee_name: null,
  contact_email: 'numbers@harbor.test',
  notes: '',
  views: 40,
  inquiries: 2,
  offers_count: 1,
  last_inquiry_at: at,
  calls_30d: 12,
  misdials_30d: 3,
  leased_at: null,
  lease_ends_at: null,
  lease_monthly_cents: null,
  lease_term_months: null,
  lease_notice_at: null,
  withdraws_at_end: false,
  assigned_at: null,
  assigned_to: null,
  created_at: at,
  updated_at: at,
};

const { minimum_offer_cents: _, ...publicPricing } = example.pricing;

const publicExample: PublicListing = { ...shownExample, pricing: publicPricing, available: true };

const detailExample: MarketplaceDetail = {
  ...example,
  offers: [
    {
      id: 7,
      company: 'Bright Smiles',
      amount_cents: 8500,
      term: 24,
      status: 'open',
      message: 'Would you take this?',
      created_at: at,
      expires_at: at,
    },
  ],
  inquiry_list: [],
  timeline: [],
  may_become: ['draft', 'withdrawn'],
};

const ofNumber = z.object({ id });

const mine = { object: { table: 'marketplace_number', param: 'id' }, params: ofNumber } as const;

const params = { id: 51 };

const filters = {
  search: words(100).optional(),
  tier: tier.optional(),
  category: z.enum(['toll_free', 'local']).optional(),
  area: z.string().trim().max(3).optional().meta({ description: 'Area code or two-letter state' }),
  words: words(40).optional().meta({ description: 'A word the number spells' }),
  price_from: cents.optional(),
  price_to: cents.optional(),
  industry: words(60).optional(),
};

export const listMarketplaceNumbers = operation({
  summary: 'List the company’s numbers on the marketplace',
  paged: true,
  query: listQuery(
    {
      ...filters,
      sort: sortBy(...marketplaceSorts),
      status: z
        .preprocess((v) => (typeof v === 'string' ? v.split(',') : v), z.array(status))
        .optional(),
    },
    { perPage: 25 },
  ),
  answer: pageOf(row),
  example: { query: { status: ['listed'], sort: 'price' }, answer: { data: [example] } },
});

const counted = {
  listed: z.number(),
  reserved: z.number(),
  leased: z.number(),
  withdrawn: z.number(),
  views_30d: z.number(),
  inquiries_30d: z.number(),
  offers_open: z.number(),
  conversion_pct: z.number().meta({ description: 'Leased, of all that were ever listed' }),
  monthly_revenue_cents: z.number(),
  avg_days_to_lease: z.number().nullable(),
};

export const marketplaceKpi = operation({
  summary: 'Get marketplace figures, with the change against the previous 30 days',
  query: z.object({ ...companyIn }),
  answer: one(
    z.object({
      ...counted,
      change: z
        .object({
          views_pct: z.number().nullable(),
          inquiries_pct: z.number().nullable(),
          leased: z.number(),
          monthly_revenue_cents: z.number(),
        })
        .meta({ description: 'null percentages: nothing to compare with' }),
    }),
  ),
  example: {
    answer: {
      data: {
        listed: 8,
        reserved: 0,
        leased: 3,
        withdrawn: 1,
        views_30d: 120,
        inquiries_30d: 9,
        offers_open: 2,
        conversion_pct: 25,
        monthly_revenue_cents: 24_700,
        avg_days_to_lease: 21,
        change: { views_pct: 12.5, inquiries_pct: null, leased: 1, monthly_revenue_cents: 4900 },
      },
    },
  },
});

export const marketplaceReport = operation({
  summary: 'Export the marketplace as CSV',
  query: z.object({ ...companyIn }),
  limit: 'exports',
  contentType: 'text/csv',
  answer: z.string().meta({
    description:
      'Columns: number, vanity, tier, status, price, views, inquiries, offers, leased_to, listed_at, leased_at, revenue',
  }),
  example: {
    answer:
      'number,vanity,tier,status,price,views,inquiries,offers,leased_to,listed_at,leased_at,revenue\r\n',
  },
});

export const getMarketplaceNumber = operation({
  ...mine,
  summary: 'Get one listing with its offers, inquiries and timeline',
  query: z.object({ ...companyIn }),
  answer: one(marketplaceDetail),
  example: { params, answer: { data: detailExample } },
});

export const marketplacePublic = operation({
  summary:
    'Get the public view of a listed number; empty if it isn’t listed. Counts as a view, once per visitor and day',
  params: ofNumber,
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(publicListing) }),
  example: { params, answer: { data: [publicExample] } },
});

export const updateMarketplaceNumber = operation({
  ...mine,
  summary: 'Update the price, texts and status of a listing',
  body: marketplacePatch,
  answer: one(marketplaceDetail),
  refusals: ['marketplace.not_now', 'marketplace.taken', 'numbers.taken'],
  example: {
    params,
    body: { status: 'listed', pricing: { monthly_cents: 9900 } },
    answer: { data: detailExample },
  },
});

export const listOnMarketplace = operation({
  summary: 'Add one of the company’s own numbers to the marketplace, as a draft',
  status: 201,
  body: z.object({ number_id: id, vanity_text: words(30).nullish(), ...companyIn }),
  answer: one(marketplaceDetail),
  refusals: ['marketplace.exists', 'marketplace.leased_to_you', 'number.in_pool'],
  example: { body: { number_id: 11 }, answer: { data: detailExample } },
});

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
  refusals: ['marketplace.not_now'],
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
  refusals: ['marketplace.not_now', 'marketplace.own', 'marketplace.fixed_price'],
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
  refusals: ['marketplace.not_now', 'marketplace.taken'],
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
  refusals: ['marketplace.not_now'],
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
  refusals: ['marketplace.not_renewed', 'marketplace.renewal_early'],
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
  refusals: ['marketplace.taken', 'marketplace.own', 'marketplace.offer_needed'],
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
  refusals: ['marketplace.taken', 'marketplace.own', 'marketplace.offer_needed', 'numbers.taken'],
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
