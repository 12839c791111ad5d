/** Statuses of a marketplace number (A15). */
export const marketplaceStatuses = [
  'draft',
  'listed',
  'reserved',
  'under_offer',
  'leased',
  'withdrawn',
] as const;

export type MarketplaceStatus = (typeof marketplaceStatuses)[number];

export const marketplaceTiers = ['standard', 'premium', 'exclusive'] as const;

export const marketplaceChannels = ['own', 'partner', 'listing_site'] as const;

export const marketplacePricings = ['lease', 'assignment', 'make_offer'] as const;

/** Minutes that a number is reserved during checkout. */
export const reserveMinutes = 15;

/** Days until an undecided offer expires. */
export const offerDays = 14;

/** Hours that a number is reserved for the company whose offer was accepted. */
export const acceptedOfferHours = 24;

/** Days before its end in which a lease can be renewed. */
export const renewalDays = 60;

/** Days before the end of a lease when both sides are notified. */
export const leaseNoticeDays = [30, 7] as const;

/** "1 month", "6 months". */
export const monthsInWords = (n: number): string => (n === 1 ? '1 month' : `${n} months`);

/** The terms that both sides agree to, by pricing. */
export const termsOf = (type: (typeof marketplacePricings)[number]): string =>
  type === 'assignment'
    ? 'The service on this number passes to the new company permanently. The price is paid once. This is not a lease and does not end.'
    : `The lease runs for its whole term; the owner can’t end it sooner. The lessee can return the number at any time. In the last ${renewalDays} days the lessee can renew for the same term at the same price, unless the owner has given notice that the lease will not be renewed.`;

/** Why the lessee can't renew the lease now; null: it can be renewed. */
export function renewalProblem(
  lease: { ends_at: Date; notice_at: Date | null },
  now: Date,
): 'notice' | 'early' | 'over' | null {
  if (lease.ends_at <= now) return 'over';
  if (lease.notice_at !== null) return 'notice';
  return lease.ends_at.getTime() - now.getTime() > renewalDays * 86_400_000 ? 'early' : null;
}

const moves: Readonly<Record<MarketplaceStatus, readonly MarketplaceStatus[]>> = {
  draft: ['listed', 'withdrawn'],
  listed: ['draft', 'reserved', 'under_offer', 'withdrawn'],
  // With an open offer the number is still listed for other buyers.
  under_offer: ['listed', 'reserved', 'withdrawn'],
  reserved: ['leased', 'listed', 'under_offer', 'withdrawn'],
  leased: ['withdrawn'],
  withdrawn: [],
};

/** Whether a marketplace number may go from one status to the other (A15). */
export const canMoveListing = (from: MarketplaceStatus, to: MarketplaceStatus): boolean =>
  moves[from].includes(to);

/**
 * Whether the lister may set this status. Reservations, offers and leases result from what buyers
 * do.
 */
export const canRequestStatus = (from: MarketplaceStatus, to: MarketplaceStatus): boolean =>
  from === to ||
  ((to === 'withdrawn' ||
    (from === 'draft' && to === 'listed') ||
    (from === 'listed' && to === 'draft') ||
    (from === 'reserved' && (to === 'leased' || to === 'listed'))) &&
    canMoveListing(from, to));

/** Whether buyers can see and take the number. */
export const isAvailable = (status: MarketplaceStatus): boolean =>
  status === 'listed' || status === 'under_offer';

const selling =
  /\b(sell(?:s|ing|er)?|sale|sold|buy(?:s|ing|er)?|bought|purchas\w*|resell\w*|resale|own(?:s|ed|er|ership)? (?:this|the|your) number)\b/i;

/**
 * The error for wording that sells a toll-free number; null: allowed. Toll-free numbers are a
 * public resource: their service is leased or assigned, and the number is never sold (47 CFR
 * 52.107).
 */
export function wordingProblem(text: string, category: 'toll_free' | 'local'): string | null {
  const found = category === 'toll_free' ? selling.exec(text)?.[0] : undefined;
  return found
    ? `Toll-free numbers are not sold. Write lease or assignment of service instead of “${found}”.`
    : null;
}

/**
 * The legal notice under a listing whose seller wrote none: what is offered is service on the
 * number, never the number itself.
 */
export const defaultNotice = (category: 'toll_free' | 'local'): string =>
  category === 'toll_free'
    ? 'Toll-free numbers are a public resource. What is offered is the lease or assignment of telephone service on this number; no right in the number itself is transferred.'
    : 'What is offered is the lease or assignment of telephone service on this number. It remains subject to the numbering rules of its carrier and regulator.';

interface ListingFacts {
  category: 'toll_free' | 'local';
  pricing_type: (typeof marketplacePricings)[number];
  monthly_cents: number;
  setup_cents: number;
  description: string;
  legal_notice: string;
  channel: string;
  partner_name: string | null;
}

/** Problems that prevent listing, by field; empty: none. */
export function listingProblems(item: ListingFacts): Record<string, string> {
  const needs: Record<string, string> = {};
  if (item.pricing_type === 'lease' && item.monthly_cents <= 0)
    needs['pricing.monthly_cents'] = 'Enter a monthly price.';
  if (item.pricing_type === 'assignment' && item.setup_cents <= 0)
    needs['pricing.setup_cents'] = 'Enter the assignment price.';
  if (!item.legal_notice.trim())
    needs['legal_notice'] =
      'Keep the legal notice: it says that service is offered, not the number itself.';
  if (item.channel !== 'own' && !item.partner_name?.trim())
    needs['partner_name'] = 'Enter the partner or site.';
  for (const field of ['description', 'legal_notice'] as const) {
    const broken = wordingProblem(field === 'legal_notice' ? '' : item[field], item.category);
    if (broken) needs[field] = broken;
  }
  return needs;
}

export const marketplaceSorts = [
  'price',
  'views',
  'listed_at',
  'created_at',
  'number',
  'status',
] as const;
