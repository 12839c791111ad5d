import { formatMoney, marketplace as contract } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import {
  acceptNumber,
  giveUpNumber,
  lockNumber,
  type LeaseTerms,
  type NumberRecord,
} from '../numbers/index.ts';
import { leaseEndDate } from './end-lease.ts';
import { switchCompany } from './switch-company.ts';
import { listingName, formatDay, mailLessee, mailLister } from './mail-listing.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { declineOpenOffers, clearedReservation } from './reservation.ts';
import { updateListingRow, type ListingColumns, type ListingRecord } from './store.ts';
import { offerById } from './store-offers.ts';

interface TransferResult {
  number: string;
  type: 'lease' | 'assignment';
  monthly_cents: number;
  setup_cents: number;
  term_months: number | null;
  ends_at: Date | null;
}
/** `byLister`: the lister carries out an accepted offer, so the actor isn't of the buyer's company. */
interface Buyer {
  companyId: number;
  name: string;
  byLister?: boolean;
}

/** Price and shortest term by the reservation's accepted offer, or else by the listing. */
export async function agreedTerms(
  t: TxCtx,
  row: ListingRecord,
): Promise<{ monthly_cents: number; minimum_term_months: number }> {
  const offer =
    row.reserved_offer_id === null
      ? undefined
      : await offerById(t.tx, t.companyId, row.reserved_offer_id);
  return offer
    ? { monthly_cents: offer.amount_cents, minimum_term_months: offer.term_months }
    : row;
}

/**
 * Makes the reserved number one of the buyer's, by lease or for good, in this transaction: at every moment exactly one company
 * has it. Call in the lister's company with the listing locked, after checking the reservation. `months` is the lease's term.
 * Fails with `marketplace.taken` when the lister's own number can't be taken any more.
 */
export async function transferNumber(
  t: TxCtx,
  row: ListingRecord,
  buyer: Buyer,
  months: number,
): Promise<TransferResult> {
  const lease: LeaseTerms | null =
    row.pricing_type === 'assignment'
      ? null
      : {
          listingId: row.id,
          endsAt: leaseEndDate(t.now, months),
          monthlyCents: (await agreedTerms(t, row)).monthly_cents,
          termMonths: months,
        };
  await declineOpenOffers(t, row);
  const previous = row.number_id === null ? null : await releaseFromLister(t, row.number_id);
  await updateListingRow(t.tx, t.companyId, row.id, {
    ...clearedReservation,
    leased_at: t.now,
    updated_at: t.now,
    ...(lease ? leaseColumns(row, buyer, lease) : assignmentColumns(t, row, buyer)),
  });
  await installAtBuyer(t, row, previous, buyer, lease);
  await recordTransfer(t, row, buyer, lease);
  return {
    number: row.number,
    type: lease ? 'lease' : 'assignment',
    monthly_cents: lease?.monthlyCents ?? 0,
    setup_cents: row.setup_cents,
    term_months: lease?.termMonths ?? null,
    ends_at: lease?.endsAt ?? null,
  };
}

const leaseColumns = (row: ListingRecord, buyer: Buyer, lease: LeaseTerms): ListingColumns => ({
  status: 'leased',
  lessee_company_id: buyer.companyId,
  lessee_name: buyer.name,
  lease_monthly_cents: lease.monthlyCents,
  lease_setup_cents: row.setup_cents,
  lease_term_months: lease.termMonths,
  lease_ends_at: lease.endsAt,
  lease_notice_at: null,
  lease_notified_days: null,
  withdraws_at_end: false,
});
const assignmentColumns = (t: TxCtx, row: ListingRecord, buyer: Buyer): ListingColumns => ({
  status: 'withdrawn',
  withdrawn_at: t.now,
  assigned_at: t.now,
  assigned_to: buyer.name,
  assigned_cents: row.setup_cents,
});

/** Audit, timeline and mail to both companies. */
async function recordTransfer(
  t: TxCtx,
  row: ListingRecord,
  buyer: Buyer,
  lease: LeaseTerms | null,
): Promise<void> {
  const { setup_cents } = row;
  const price = [
    ...(lease ? [`${formatMoney(lease.monthlyCents)} a month`] : []),
    ...(setup_cents > 0 ? [`${formatMoney(setup_cents)} once`] : []),
  ].join(' and ');
  const term = lease && contract.monthsInWords(lease.termMonths);
  const summary = lease
    ? `Leased to ${buyer.name} for ${term} at ${price}.`
    : `Assigned to ${buyer.name} for ${price}.`;
  const action = lease ? 'leased' : 'assigned';
  await audit(t, `marketplace.${action}`, `marketplace:${row.id}`, {
    after: {
      to: buyer.companyId,
      monthly_cents: lease?.monthlyCents ?? 0,
      setup_cents,
      term_months: lease?.termMonths ?? null,
    },
  });
  await recordListingEvent(t, row.id, {
    kind: 'status',
    text: summary,
    status: lease ? 'leased' : 'withdrawn',
    ...(buyer.byLister ? {} : { by: buyer.name }),
  });
  const name = listingName(row);
  await mailLister(t, row, `${name} was ${action}`, [
    `${name}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    lease
      ? `The lease ends ${formatDay(lease.endsAt)}.`
      : 'The service on it has been transferred to them permanently.',
  ]);
  await mailLessee(t, row, buyer.companyId, `${name} is now one of your numbers`, [
    lease
      ? `${buyer.name} leases ${name} for ${term} at ${price}, until ${formatDay(lease.endsAt)}.`
      : `The service on ${name} was assigned to ${buyer.name} for ${price}.`,
    contract.termsOf(row.pricing_type),
  ]);
}

/** Gives up the lister's own number; its row and history stay. Returns the row as it was. */
async function releaseFromLister(t: TxCtx, numberId: number): Promise<NumberRecord> {
  const row = await lockNumber(t.tx, t.companyId, numberId, null);
  if (!row || offerProblem(row)) fail('marketplace.taken');
  await giveUpNumber(t, row, { reason: 'Acquired on the marketplace' });
  return row;
}

/** Why a number can't be offered or taken. Null: it can. */
export const offerProblem = (
  n: Pick<NumberRecord, 'status' | 'dni_pool_id' | 'lease_listing_id'>,
): 'inactive' | 'in_pool' | 'leased' | null => {
  if (n.lease_listing_id !== null) return 'leased';
  if (n.dni_pool_id !== null) return 'in_pool';
  return n.status === 'active' || n.status === 'parked' ? null : 'inactive';
};

async function installAtBuyer(
  t: TxCtx,
  row: ListingRecord,
  previous: NumberRecord | null,
  buyer: Buyer,
  lease: LeaseTerms | null,
): Promise<void> {
  const buyerCtx = await switchCompany(t, buyer.companyId);
  // The actor is one of the lister's people, whom the buyer's timeline must not name.
  const asBuyer = buyer.byLister
    ? { ...buyerCtx, actor: { ...buyerCtx.actor, kind: 'system' as const, userId: 0, name: '' } }
    : buyerCtx;
  await acceptNumber(asBuyer, {
    number: row.number,
    previous,
    vanityText: row.vanity_text,
    lease,
    reason: lease
      ? `Leased on the marketplace for ${contract.monthsInWords(lease.termMonths)}`
      : 'Assigned on the marketplace',
  });
  await switchCompany(t, t.companyId);
}
