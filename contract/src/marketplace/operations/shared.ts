import { z } from 'zod';
import { id } from '../../schemas.ts';
import { termsOf } from '../rules.ts';
import {
  cents,
  type MarketplaceDetail,
  type MarketplaceNumber,
  type PublicListing,
  tier,
  words,
} from '../schemas.ts';

export const at = '2026-11-21T09:15:04.000Z';

/** The parts of the example that both sides see. */
export const shownExample = {
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

export const example: MarketplaceNumber = {
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

export const { minimum_offer_cents: _, ...publicPricing } = example.pricing;

export const publicExample: PublicListing = {
  ...shownExample,
  pricing: publicPricing,
  available: true,
};

export const detailExample: MarketplaceDetail = {
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

export const ofNumber = z.object({ id });

export const mine = {
  object: { table: 'marketplace_number', param: 'id' },
  params: ofNumber,
} as const;

export const params = { id: 51 };

export const filters = {
  search: words(100).optional(),
  tier: tier.optional(),
  category: z.enum(['toll_free', 'local']).optional(),
  area: z.string().trim().max(3).optional().meta({ description: 'Area code or two-letter state' }),
  words: words(40).optional().meta({ description: 'A word the number spells' }),
  price_from: cents.optional(),
  price_to: cents.optional(),
  industry: words(60).optional(),
};
