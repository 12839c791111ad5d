import { formatPhone, marketplace as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import {
  eventsOf,
  inquiriesOf,
  offersOf,
  readListing,
  type ListingRecord,
  type ListingView,
} from './store.ts';

const instant = (at: Date | null): string | null =>
  at === null ? null : new Date(at).toISOString();
/** A reservation that has run out is none. */
export const effectiveStatus = (
  row: Pick<ListingRecord, 'status' | 'reserved_until'>,
  now: Date,
): contract.MarketplaceStatus =>
  row.status === 'reserved' && row.reserved_until !== null && new Date(row.reserved_until) <= now
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
    created_at: instant(row.created_at)!,
    updated_at: instant(row.updated_at)!,
  };
}
type OfferRow = Awaited<ReturnType<typeof offersOf>>[number];
export const presentOffer = (
  o: OfferRow,
  now: Date,
): contract.MarketplaceDetail['offers'][number] => ({
  id: o.id,
  company: o.buyer_name,
  amount_cents: o.amount_cents,
  term: o.term_months,
  status: (o.status === 'open' && new Date(o.expires_at) <= now ? 'expired' : o.status) as 'open',
  message: o.message,
  created_at: instant(o.created_at)!,
  expires_at: instant(o.expires_at)!,
});
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
      at: instant(q.at)!,
    })),
    timeline: (await eventsOf(ctx.tx, ctx.companyId, id)).map((e) => ({
      id: e.id,
      kind: e.kind,
      text: e.text,
      status: e.status as contract.MarketplaceStatus | null,
      by: e.by_name,
      at: instant(e.at)!,
    })),
    may_become: contract.marketplaceStatuses.filter(
      (to) => to !== item.status && canChangeStatus(row, item.status, to),
    ),
  };
}

/** May the lister set this status now? A number is leased to a company only once both have agreed: by an accepted offer. */
export const canChangeStatus = (
  row: ListingRecord,
  from: contract.MarketplaceStatus,
  to: contract.MarketplaceStatus,
): boolean =>
  contract.canRequestStatus(from, to) &&
  !(to === 'leased' && from !== to && row.reserved_offer_id === null) &&
  !(from === 'leased' && to === 'withdrawn' && row.withdraws_at_end);

export const statusLabels: Readonly<Record<contract.MarketplaceStatus, string>> = {
  draft: 'a draft',
  listed: 'listed',
  under_offer: 'under offer',
  reserved: 'reserved',
  leased: 'leased',
  withdrawn: 'withdrawn',
};
