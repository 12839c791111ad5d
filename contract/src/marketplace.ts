import { z } from 'zod';
import {
  companyIn,
  endpoint,
  event,
  flag,
  id,
  instant,
  listQuery,
  one,
  pageOf,
  sortBy,
} from './kit.ts';
import {
  marketplaceChannels,
  marketplacePricings,
  marketplaceStatuses,
  marketplaceTiers,
  termsOf,
} from './marketplace-rules.ts';

/** Marketplace numbers (decisions A15): vanity numbers offered for lease or assignment of service. Module: numbers. */
export * from './marketplace-rules.ts';

const status = z.enum(marketplaceStatuses);
const tier = z.enum(marketplaceTiers, 'Choose an option.');
const cents = z.coerce
  .number('Enter an amount.')
  .int('Enter whole cents.')
  .min(0, 'Enter an amount.')
  .max(100_000_000, 'This amount is too large.');
const words = (most: number) => z.string().trim().max(most, `At most ${most} characters.`);
const pricing = z.object({
  type: z.enum(marketplacePricings),
  monthly_cents: z.number(),
  setup_cents: z.number(),
  minimum_term_months: z.number(),
  minimum_offer_cents: z.number().nullable(),
  currency: z.literal('USD'),
});
const area = z.object({ states: z.array(z.string()), area_codes: z.array(z.string()) });
const shown = {
  id,
  number: z.string(),
  formatted: z.string(),
  vanity_text: z.string().nullable(),
  words: z.array(z.string()),
  category: z.enum(['toll_free', 'local']),
  area_code: z.string(),
  region: z.string(),
  tier,
  pattern: z.string().nullable(),
  exclusive_area: area,
  industries: z.array(z.string()),
  description: z.string(),
  seo_slug: z.string().nullable(),
  images: z.array(z.string()),
  featured: z.boolean(),
  portable: z.boolean(),
  legal_notice: z.string(),
  listed_at: instant.nullable(),
  terms: z.string().meta({ description: 'The terms both sides agree to when the number is taken' }),
};
/** What buyers see: nothing of the lister's own notes, figures and terms. */
export const publicListing = z.object({
  ...shown,
  pricing: pricing.omit({ minimum_offer_cents: true }),
  available: z.boolean().meta({ description: 'false while someone is at checkout with it' }),
});
export type PublicListing = z.infer<typeof publicListing>;
/** A15. */
export const marketplaceNumber = z.object({
  ...shown,
  number_id: id.nullable().meta({ description: 'The company’s own number; null: inventory' }),
  channel: z.enum(marketplaceChannels),
  partner_name: z.string().nullable(),
  status,
  pricing,
  respOrg: z.string().nullable(),
  reserved_until: instant.nullable(),
  lessee_company_id: id.nullable(),
  lessee_name: z.string().nullable(),
  contact_email: z.string().nullable(),
  notes: z.string(),
  views: z.number(),
  inquiries: z.number(),
  offers_count: z.number(),
  last_inquiry_at: instant.nullable(),
  calls_30d: z.number().meta({ description: 'Calls to the number' }),
  misdials_30d: z
    .number()
    .meta({ description: 'Of these, ended within ten seconds of being answered' }),
  leased_at: instant.nullable(),
  lease_ends_at: instant.nullable().meta({ description: 'Then the number returns automatically' }),
  lease_monthly_cents: z.number().nullable().meta({ description: 'Agreed for this lease' }),
  lease_term_months: z.number().nullable(),
  lease_notice_at: instant
    .nullable()
    .meta({ description: 'The owner gave notice: the lease isn’t renewed' }),
  withdraws_at_end: z
    .boolean()
    .meta({ description: 'Withdrawn while leased: the listing ends with the lease' }),
  assigned_at: instant.nullable(),
  assigned_to: z
    .string()
    .nullable()
    .meta({ description: 'The company the service was assigned to' }),
  created_at: instant,
  updated_at: instant,
});
export type MarketplaceNumber = z.infer<typeof marketplaceNumber>;
const offer = z.object({
  id,
  company: z.string(),
  amount_cents: z.number(),
  term: z.number().meta({ description: 'Months' }),
  status: z.enum(['open', 'accepted', 'declined', 'expired']),
  message: z.string(),
  created_at: instant,
  expires_at: instant,
});
export const marketplaceDetail = marketplaceNumber.extend({
  offers: z.array(offer),
  inquiry_list: z.array(
    z.object({ id, name: z.string(), email: z.string(), message: z.string(), at: instant }),
  ),
  timeline: z.array(
    z.object({
      id,
      kind: z.string(),
      text: z.string(),
      status: status.nullable(),
      by: z.string().nullable(),
      at: instant,
    }),
  ),
  may_become: z.array(status).meta({ description: 'Statuses the owner can set now' }),
});
export type MarketplaceDetail = z.infer<typeof marketplaceDetail>;
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
const mine = {
  company: 'object',
  object: { table: 'marketplace_number', param: 'id' },
  params: ofNumber,
} as const;
const params = { id: 51 };

export const marketplaceSorts = [
  'price',
  'views',
  'listed_at',
  'created_at',
  'number',
  'status',
] as const;
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
export const listMarketplaceNumbers = endpoint({
  name: 'listMarketplaceNumbers',
  method: 'GET',
  path: '/marketplace-numbers',
  summary: 'List the company’s numbers on the marketplace',
  permission: 'marketplace.view',
  company: 'given',
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
export const marketplaceKpi = endpoint({
  name: 'marketplaceKpi',
  method: 'GET',
  path: '/marketplace-numbers/kpi',
  summary: 'Get marketplace figures, with the change against the previous 30 days',
  permission: 'marketplace.view',
  company: 'given',
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
export const marketplaceReport = endpoint({
  name: 'marketplaceReport',
  method: 'GET',
  path: '/marketplace-numbers/report',
  summary: 'Export the marketplace as CSV',
  permission: 'marketplace.view',
  company: 'given',
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
export const getMarketplaceNumber = endpoint({
  ...mine,
  name: 'getMarketplaceNumber',
  method: 'GET',
  path: '/marketplace-numbers/{id}',
  summary: 'Get one listing with its offers, inquiries and timeline',
  permission: 'marketplace.view',
  query: z.object({ ...companyIn }),
  answer: one(marketplaceDetail),
  example: { params, answer: { data: detailExample } },
});
export const marketplacePublic = endpoint({
  name: 'marketplacePublic',
  method: 'GET',
  path: '/marketplace-numbers/{id}/listings',
  summary:
    'Get the public view of a listed number; empty if it isn’t listed. Counts as a view, once per visitor and day',
  permission: 'public',
  company: 'none',
  params: ofNumber,
  query: z.object({ ...companyIn }),
  answer: z.object({ data: z.array(publicListing) }),
  example: { params, answer: { data: [publicExample] } },
});
export const marketplacePatch = z
  .object({
    status,
    vanity_text: words(30).nullable(),
    words: z.array(words(20)).max(10),
    tier,
    pattern: words(20).nullable(),
    channel: z.enum(marketplaceChannels),
    partner_name: words(120).nullable(),
    pricing: z
      .object({
        type: z.enum(marketplacePricings, 'Choose an option.'),
        monthly_cents: cents,
        setup_cents: cents,
        minimum_term_months: z.coerce
          .number<number>()
          .int()
          .min(1, 'At least one month.')
          .max(120, 'At most 120 months.'),
        minimum_offer_cents: cents.nullable(),
      })
      .partial(),
    exclusive_area: z
      .object({
        states: z.array(z.string().regex(/^[A-Z]{2}$/, 'Use two letters.')).max(60),
        area_codes: z
          .array(z.string().regex(/^[2-9]\d{2}$/, 'Use the three digits of an area code.'))
          .max(100),
      })
      .partial(),
    industries: z.array(words(60)).max(23),
    description: words(2000),
    seo_slug: z
      .string()
      .trim()
      .max(80)
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and dashes.')
      .nullable(),
    featured: flag,
    respOrg: words(12).nullable(),
    portable: flag,
    contact_email: z.email('Enter an email address.').max(254).nullable(),
    notes: words(4000),
    legal_notice: words(2000),
    ...companyIn,
  })
  .partial();
export type MarketplacePatch = z.infer<typeof marketplacePatch>;
export const updateMarketplaceNumber = endpoint({
  ...mine,
  name: 'updateMarketplaceNumber',
  method: 'PUT',
  path: '/marketplace-numbers/{id}',
  summary: 'Update the price, texts and status of a listing',
  permission: 'marketplace.edit',
  body: marketplacePatch,
  answer: one(marketplaceDetail),
  refusals: ['marketplace.not_now', 'marketplace.taken', 'numbers.taken'],
  example: {
    params,
    body: { status: 'listed', pricing: { monthly_cents: 9900 } },
    answer: { data: detailExample },
  },
});

// ---- ours: what feeds it, and what buyers do -------------------------------------------------------------------------

export const listOnMarketplace = endpoint({
  name: 'listOnMarketplace',
  method: 'POST',
  path: '/marketplace-numbers',
  summary: 'Add one of the company’s own numbers to the marketplace, as a draft',
  permission: 'marketplace.edit',
  company: 'given',
  status: 201,
  body: z.object({ number_id: id, vanity_text: words(30).nullish(), ...companyIn }),
  answer: one(marketplaceDetail),
  refusals: ['marketplace.exists', 'marketplace.leased_to_you', 'number.in_pool'],
  example: { body: { number_id: 11 }, answer: { data: detailExample } },
});
export const listListings = endpoint({
  name: 'listListings',
  method: 'GET',
  path: '/marketplace-listings',
  summary: 'List numbers that can be leased now, from all owners',
  permission: 'session',
  company: 'none',
  paged: true,
  query: listQuery({ ...filters, sort: sortBy(...marketplaceSorts) }, { perPage: 25 }),
  answer: pageOf(publicListing),
  example: { query: { tier: 'premium' }, answer: { data: [publicExample] } },
});
export const inquireListing = endpoint({
  name: 'inquireListing',
  method: 'POST',
  path: '/marketplace-numbers/{id}/inquiries',
  summary: 'Send a question about a listed number',
  permission: 'session',
  company: 'none',
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
export const makeOffer = endpoint({
  name: 'makeOffer',
  method: 'POST',
  path: '/marketplace-numbers/{id}/offers',
  summary: 'Make an offer for the monthly price',
  permission: 'numbers.buy',
  company: 'given',
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
export const decideOffer = endpoint({
  ...mine,
  name: 'decideOffer',
  method: 'POST',
  path: '/marketplace-numbers/{id}/offers/{offerId}',
  summary: 'Accept (reserves the number for the buyer) or decline an offer',
  permission: 'marketplace.edit',
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
export const endLease = endpoint({
  ...mine,
  name: 'endLease',
  method: 'POST',
  path: '/marketplace-numbers/{id}/end-lease',
  summary: 'Give notice: the lease isn’t renewed, and the number returns at the end of its term',
  permission: 'marketplace.edit',
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
export const renewLease = endpoint({
  name: 'renewLease',
  method: 'POST',
  path: '/marketplace-numbers/{id}/renew',
  summary: 'Renew a lease as the lessee for the same term at the same price, in its last 60 days',
  permission: 'numbers.buy',
  company: 'given',
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
export const reserveListing = endpoint({
  name: 'reserveListing',
  method: 'POST',
  path: '/marketplace-numbers/{id}/reserve',
  summary:
    'Start checkout: the number is reserved for you for 15 minutes. The first of two buyers to complete checkout gets it',
  permission: 'numbers.buy',
  company: 'given',
  params: ofNumber,
  body: z.object({ ...companyIn }),
  answer: one(z.object({ reserved_until: instant, listing: publicListing })),
  refusals: ['marketplace.taken', 'marketplace.own', 'marketplace.offer_needed'],
  example: { params, body: {}, answer: { data: { reserved_until: at, listing: publicExample } } },
});
export const leaseListing = endpoint({
  name: 'leaseListing',
  method: 'POST',
  path: '/marketplace-numbers/{id}/lease',
  summary: 'Complete checkout: the number becomes one of the company’s numbers',
  permission: 'numbers.buy',
  company: 'given',
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

// ---- events ----------------------------------------------------------------------------------------------------------

export const marketplaceChanged = event({
  name: 'marketplace.changed',
  channel: 'companies',
  data: z.object({ companyId: id, marketplaceId: id, status, what: z.string() }),
  touches: [
    'listMarketplaceNumbers',
    'marketplaceKpi',
    'getMarketplaceNumber',
    'listListings',
    'marketplacePublic',
  ],
});
