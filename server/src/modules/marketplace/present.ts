import { formatPhone, marketplace as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import {
  eventsOf,
  inquiriesOf,
  readListing,
  type ListingRecord,
  type ListingView,
} from './store.ts';
import { offersOf, type OfferRow } from './store-offers.ts';

const instant = (at: Date | null): string | null => at?.toISOString() ?? null;
/** The status without an expired reservation: that counts as listed. */
export const effectiveStatus = (
  row: Pick<ListingRecord, 'status' | 'reserved_until'>,
  now: Date,
): contract.MarketplaceStatus =>
  row.status === 'reserved' && row.reserved_until !== null && row.reserved_until <= now
    ? 'listed'
    : row.status;

const presentCommon = (row: ListingRecord) => ({
  id: row.id,
  number: row.number,
  formatted: formatPhone(row.number),
  vanity_text: row.vanity_text,
  words: row.words,
  category: row.category,
  area_code: row.area_code,
  region: row.region,
  tier: row.tier,
  pattern: row.pattern,
  exclusive_area: { states: row.exclusive_states, area_codes: row.exclusive_area_codes },
  industries: row.industries,
  description: row.description,
  seo_slug: row.seo_slug,
  images: row.images,
  featured: row.featured,
  portable: row.portable,
  legal_notice: row.legal_notice,
  listed_at: instant(row.listed_at),
  terms: contract.termsOf(row.pricing_type),
});
/** What anyone may see of a listing. */
export function presentListing(row: ListingRecord, now: Date): contract.PublicListing {
  return {
    ...presentCommon(row),
    pricing: {
      type: row.pricing_type,
      monthly_cents: row.monthly_cents,
      setup_cents: row.setup_cents,
      minimum_term_months: row.minimum_term_months,
      currency: 'USD',
    },
    available: contract.isAvailable(effectiveStatus(row, now)),
  };
}
/** What its lister sees of a listing, with its figures. */
export function presentItem(row: ListingView, now: Date): contract.MarketplaceNumber {
  const status = effectiveStatus(row, now);
  return {
    ...presentCommon(row),
    number_id: row.number_id,
    channel: row.channel,
    partner_name: row.partner_name,
    status,
    pricing: {
      type: row.pricing_type,
      monthly_cents: row.monthly_cents,
      setup_cents: row.setup_cents,
      minimum_term_months: row.minimum_term_months,
      minimum_offer_cents: row.minimum_offer_cents,
      currency: 'USD',
    },
    respOrg: row.resp_org,
    reserved_until: status === 'reserved' ? instant(row.reserved_until) : null,
    lessee_company_id: row.lessee_company_id,
    lessee_name: row.lessee_name,
    contact_email: row.contact_email,
    notes: row.notes,
    views: row.views,
    inquiries: row.inquiries,
    offers_count: row.offers_count,
    last_inquiry_at: instant(row.last_inquiry_at),
    calls_30d: row.calls_30d,
    misdials_30d: row.misdials_30d,
    leased_at: instant(row.leased_at),
    lease_ends_at: instant(row.lease_ends_at),
    lease_monthly_cents: row.lease_monthly_cents,
    lease_term_months: row.lease_term_months,
    lease_notice_at: instant(row.lease_notice_at),
    withdraws_at_end: row.withdraws_at_end,
    assigned_at: instant(row.assigned_at),
    assigned_to: row.assigned_to,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
/** An offer; one that is open past its time is shown as expired. */
export const presentOffer = (
  o: OfferRow,
  now: Date,
): contract.MarketplaceDetail['offers'][number] => ({
  id: o.id,
  company: o.buyer_name,
  amount_cents: o.amount_cents,
  term: o.term_months,
  status: (o.status === 'open' && o.expires_at <= now
    ? 'expired'
    : o.status) as contract.MarketplaceDetail['offers'][number]['status'],
  message: o.message,
  created_at: o.created_at.toISOString(),
  expires_at: o.expires_at.toISOString(),
});
/**
 * A listing with its offers, inquiries and timeline. Fails with 404 when the company has no such
 * listing.
 */
export async function presentDetail(ctx: TxCtx, id: number): Promise<contract.MarketplaceDetail> {
  const row = (await readListing(ctx.tx, ctx.companyId, id, ctx.now)) ?? notFound();
  const item = presentItem(row, ctx.now);
  return {
    ...item,
    offers: (await offersOf(ctx.tx, ctx.companyId, id)).map((o) => presentOffer(o, ctx.now)),
    inquiry_list: (await inquiriesOf(ctx.tx, ctx.companyId, id)).map((q) => ({
      id: q.id,
      name: q.name,
      email: q.email,
      message: q.message,
      at: q.at.toISOString(),
    })),
    timeline: (await eventsOf(ctx.tx, ctx.companyId, id)).map((e) => ({
      id: e.id,
      kind: e.kind,
      text: e.text,
      status: e.status as contract.MarketplaceStatus | null,
      by: e.by_name,
      at: e.at.toISOString(),
    })),
    may_become: contract.marketplaceStatuses.filter(
      (to) => to !== item.status && canChangeStatus(row, item.status, to),
    ),
  };
}

/**
 * Whether the lister may set this status now. `leased` needs an accepted offer, so that both sides
 * have agreed.
 */
export const canChangeStatus = (
  row: ListingRecord,
  from: contract.MarketplaceStatus,
  to: contract.MarketplaceStatus,
): boolean =>
  contract.canRequestStatus(from, to) &&
  !(to === 'leased' && from !== to && row.reserved_offer_id === null) &&
  !(from === 'leased' && to === 'withdrawn' && row.withdraws_at_end);

/** Statuses as error sentences name them. */
export const statusLabels: Readonly<Record<contract.MarketplaceStatus, string>> = {
  draft: 'a draft',
  listed: 'listed',
  under_offer: 'under offer',
  reserved: 'reserved',
  leased: 'leased',
  withdrawn: 'withdrawn',
};
