import type { UseFormReturnType } from '@mantine/form';
import type { marketplace } from '#contract';
import { centsToDollars, dollarsToCents } from './labels.ts';

export type Item = marketplace.MarketplaceDetail;

/** Form values of a marketplace number. Amounts are typed US dollars, the term is in months. */
export const valuesOf = (i: Item) => ({
  vanity_text: i.vanity_text ?? '',
  words: i.words,
  tier: i.tier,
  channel: i.channel,
  partner_name: i.partner_name ?? '',
  type: i.pricing.type,
  monthly: centsToDollars(i.pricing.monthly_cents),
  setup: centsToDollars(i.pricing.setup_cents),
  term: String(i.pricing.minimum_term_months),
  least: centsToDollars(i.pricing.minimum_offer_cents),
  states: i.exclusive_area.states,
  area_codes: i.exclusive_area.area_codes,
  industries: i.industries,
  description: i.description,
  seo_slug: i.seo_slug ?? '',
  featured: i.featured,
  contact_email: i.contact_email ?? '',
  legal_notice: i.legal_notice,
  notes: i.notes,
});
export type ItemValues = ReturnType<typeof valuesOf>;
export type ItemFormState = UseFormReturnType<ItemValues>;

/** Form fields by the names that the API uses in its errors. */
export const fieldNames = {
  'pricing.monthly_cents': 'monthly',
  'pricing.setup_cents': 'setup',
  'pricing.minimum_term_months': 'term',
  'pricing.minimum_offer_cents': 'least',
  'exclusive_area.states': 'states',
  'exclusive_area.area_codes': 'area_codes',
};

/** The form values as the API accepts them. The price can't change while a buyer checks out. */
export const toRequest = (v: ItemValues, status: Item['status']) => ({
  vanity_text: v.vanity_text || null,
  words: v.words,
  tier: v.tier,
  channel: v.channel,
  partner_name: v.partner_name || null,
  industries: v.industries,
  description: v.description,
  seo_slug: v.seo_slug || null,
  featured: v.featured,
  contact_email: v.contact_email || null,
  legal_notice: v.legal_notice,
  notes: v.notes,
  exclusive_area: {
    states: v.states.map((s) => s.toUpperCase()),
    area_codes: v.area_codes,
  },
  ...(status === 'reserved' ? {} : { pricing: pricingOf(v) }),
});

const pricingOf = (v: ItemValues) => ({
  // The form doesn't submit without valid amounts.
  type: v.type,
  monthly_cents: dollarsToCents(v.monthly)!,
  setup_cents: dollarsToCents(v.setup)!,
  minimum_term_months: Number(v.term),
  minimum_offer_cents: v.least.trim() ? dollarsToCents(v.least) : null,
});
