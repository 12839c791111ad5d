import { emailAddress } from '../email-address.ts';
import { z } from 'zod';
import { companyIn, flag, id, instant } from '../schemas.ts';
import {
  marketplaceChannels,
  marketplacePricings,
  marketplaceStatuses,
  marketplaceTiers,
} from './rules.ts';

export const status = z.enum(marketplaceStatuses);

export const tier = z.enum(marketplaceTiers, 'Choose an option.');

export const cents = z.coerce
  .number('Enter an amount.')
  .int('Enter whole cents.')
  .min(0, 'Enter an amount.')
  .max(100_000_000, 'This amount is too large.');

/** Trimmed text of at most `most` characters. */
export const words = (most: number) => z.string().trim().max(most, `At most ${most} characters.`);

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

/** What buyers see: without the lister's notes, figures and terms. */
export const publicListing = z.object({
  ...shown,
  pricing: pricing.omit({ minimum_offer_cents: true }),
  available: z.boolean().meta({ description: 'false while someone is at checkout with it' }),
});

export type PublicListing = z.infer<typeof publicListing>;

/** A marketplace number as its lister sees it (A15). */
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

export const offer = z.object({
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
    contact_email: emailAddress.nullable(),
    notes: words(4000),
    legal_notice: words(2000),
    ...companyIn,
  })
  .partial();

export type MarketplacePatch = z.infer<typeof marketplacePatch>;
