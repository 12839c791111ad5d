import { isTollFree, marketplace as contract } from '#contract';
import { leaseEndDate } from '../src/modules/marketplace/end-lease.ts';
import type { Tx } from '../src/platform/db.ts';
import { inventories, type Item } from './demo-listings.ts';
import { idAt, insertInBatches } from './demo-rows.ts';

const DAY = 86_400_000;

/** A number that a company leases. */
export interface SeedLease {
  companyId: number;
  number: string;
  label: string;
  listingId: number;
  monthlyCents: number;
  months: number;
  since: Date;
  ends: Date;
}
/** So close to its end that it can be renewed. */
const leasedDays = 75;
const leaseMonths = 3;

/** A number with the company that offers it and the one that may lease it. */
interface Listing {
  id: number;
  companyId: number;
  other: { id: number; name: string };
  item: Item;
  /** The time a number of days ago. */
  ago: (days: number) => Date;
}

/**
 * Vanity inventory of the demo companies: listed, under offer and leased, with inquiries. Returns
 * the leases.
 */
export async function seedMarketplace(
  tx: Tx,
  companies: readonly { id: number; name: string }[],
  userName: string,
  now: Date,
): Promise<SeedLease[]> {
  const leases: SeedLease[] = [];
  const ago = (days: number) => new Date(now.getTime() - days * DAY);
  for (const [c, items] of inventories.entries()) {
    const company = companies[c];
    if (!company) return leases;
    const other = companies[(c + 1) % companies.length]!;
    for (const [i, item] of items.entries()) {
      const nth = c * 100_000 + i * 1000;
      const id = idAt(now.getTime() - 80 * DAY + nth);
      const listing = { id, companyId: company.id, other, item, ago };
      const { number, status } = item;
      if (status === 'leased') leases.push(leaseOf(listing));
      await insertInBatches(tx, 'marketplace_number', [listingRow(listing)]);
      if (status !== 'leased')
        await insertInBatches(tx, 'sandbox_order', [{ number, key: `marketplace-${number}` }]);
      await insertHistory(tx, listing, userName, now.getTime() - 79 * DAY + nth);
      await insertInterest(tx, listing);
    }
  }
  return leases;
}

function leaseOf({ id, other, item: { number, vanity, monthlyCents }, ago }: Listing): SeedLease {
  return {
    companyId: other.id,
    number,
    label: vanity,
    listingId: id,
    monthlyCents,
    months: leaseMonths,
    since: ago(leasedDays),
    ends: leaseEndDate(ago(leasedDays), leaseMonths),
  };
}

const regions: Record<string, string> = { 212: 'NY', 312: 'IL', 602: 'AZ' };

function listingRow({ id, companyId, other, item, ago }: Listing) {
  const { number, vanity, words, tier, status, monthlyCents, industry, days } = item;
  const category = isTollFree(number) ? ('toll_free' as const) : ('local' as const);
  const leased = status === 'leased';
  return {
    company_id: companyId,
    id,
    number,
    vanity_text: vanity,
    words,
    category,
    area_code: number.slice(2, 5),
    region: category === 'local' ? (regions[number.slice(2, 5)] ?? '') : '',
    tier,
    status,
    monthly_cents: monthlyCents,
    minimum_term_months: leased ? leaseMonths : 12,
    minimum_offer_cents: Math.round(monthlyCents * 0.7),
    industries: [industry],
    description: `Easy to remember on the radio or the side of a van. Lease ${vanity} for your area.`,
    seo_slug: vanity.toLowerCase(),
    featured: tier !== 'standard',
    resp_org: category === 'toll_free' ? 'TRK01' : null,
    contact_email: 'owner@demo.test',
    legal_notice: contract.defaultNotice(category),
    listed_at: status === 'draft' ? null : ago(days),
    first_listed_at: status === 'draft' ? null : ago(days),
    withdrawn_at: status === 'withdrawn' ? ago(10) : null,
    ...(leased
      ? {
          leased_at: ago(leasedDays),
          lessee_company_id: other.id,
          lessee_name: other.name,
          lease_monthly_cents: monthlyCents,
          lease_term_months: leaseMonths,
          lease_ends_at: leaseEndDate(ago(leasedDays), leaseMonths),
        }
      : {}),
    created_at: ago(days + 2),
    updated_at: ago(1),
  };
}

/** Views of the listing, and its events, whose ids begin at `firstEventAt`. */
async function insertHistory(
  tx: Tx,
  { id, companyId, other, item, ago }: Listing,
  userName: string,
  firstEventAt: number,
): Promise<void> {
  const { status, views, days } = item;
  const leased = status === 'leased';
  const viewedAt = (v: number) => ago((v * 7) % Math.max(1, days));
  if (views)
    await insertInBatches(
      tx,
      'marketplace_view',
      Array.from({ length: views }, (_, v) => ({
        company_id: companyId,
        marketplace_id: id,
        day: viewedAt(v).toISOString().slice(0, 10),
        visitor: `demo-${v}`,
        at: viewedAt(v),
      })),
    );
  const events = [
    ['created', 'Added to the marketplace as a draft.', 'draft', days + 2],
    ...(status === 'draft' ? [] : [['status', 'Listed.', 'listed', days]]),
    ...(leased
      ? [['status', `Leased to ${other.name} for ${leaseMonths} months.`, 'leased', leasedDays]]
      : []),
    ...(status === 'withdrawn' ? [['status', 'Withdrawn.', 'withdrawn', 10]] : []),
  ] as [string, string, string, number][];
  await insertInBatches(
    tx,
    'marketplace_event',
    events.map(([kind, text, at, d], e) => ({
      company_id: companyId,
      id: idAt(firstEventAt + e),
      marketplace_id: id,
      kind,
      text,
      status: at,
      by_name: userName,
      at: ago(d),
    })),
  );
}

/** An inquiry on what many viewed, and the offer on what is under offer. */
async function insertInterest(tx: Tx, { id, companyId, other, item, ago }: Listing): Promise<void> {
  const { vanity, status, monthlyCents, views } = item;
  if (views > 20)
    await insertInBatches(tx, 'marketplace_inquiry', [
      {
        company_id: companyId,
        marketplace_id: id,
        name: 'Nora Field',
        email: 'nora@field.test',
        message: `Is ${vanity} available in the Northeast?`,
        at: ago(5),
      },
    ]);
  if (status === 'under_offer')
    await insertInBatches(tx, 'marketplace_offer', [
      {
        company_id: companyId,
        marketplace_id: id,
        buyer_company_id: other.id,
        buyer_name: other.name,
        buyer_email: 'owner@demo.test',
        amount_cents: Math.round(monthlyCents * 0.9),
        term_months: 24,
        message: 'Two years, if you can come down a little on price.',
        created_at: ago(2),
        expires_at: ago(-12),
      },
    ]);
}
