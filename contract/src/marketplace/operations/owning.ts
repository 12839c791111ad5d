import { z } from 'zod';
import { operation } from '../../operation.ts';
import { companyIn, id, listQuery, one, pageOf, sortBy } from '../../schemas.ts';
import { marketplaceSorts } from '../rules.ts';
import {
  marketplaceDetail,
  marketplaceNumber,
  marketplacePatch,
  publicListing,
  status,
  words,
} from '../schemas.ts';
import {
  example,
  publicExample,
  detailExample,
  ofNumber,
  mine,
  params,
  filters,
} from './shared.ts';

const row = marketplaceNumber;

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
  lane: 'reports',
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
  lane: 'reports',
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
  errors: ['marketplace.not_now', 'marketplace.taken', 'numbers.taken'],
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
  errors: ['marketplace.exists', 'marketplace.leased_to_you', 'number.in_pool'],
  example: { body: { number_id: 11 }, answer: { data: detailExample } },
});
