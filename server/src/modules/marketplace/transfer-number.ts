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
import { offerById, updateListingRow, type ListingRecord } from './store.ts';

export interface TransferResult {
  number: string;
  type: 'lease' | 'assignment';
  monthly_cents: number;
  setup_cents: number;
  term_months: number | null;
  ends_at: Date | null;
}

/** What the reservation's accepted offer says, or the listing: price and shortest term. */
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
 * The reserved number becomes one of the buyer's, by lease or for good, in this transaction: at every moment exactly one
 * company has it. Call in the lister's company with the listing locked; the reservation was looked at before.
 * Refuses `marketplace.taken` when the number is no longer there to be taken.
 */
export async function transferNumber(
  t: TxCtx,
  row: ListingRecord,
  buyer: { companyId: number; name: string; byLister?: boolean },
  months: number,
): Promise<TransferResult> {
  const assigned = row.pricing_type === 'assignment';
  const monthly_cents = assigned ? 0 : (await agreedTerms(t, row)).monthly_cents;
  const { setup_cents } = row;
  const ends_at = assigned ? null : leaseEndDate(t.now, months);
  await declineOpenOffers(t, row);
  const previous = row.number_id === null ? null : await releaseFromLister(t, row.number_id);
  await updateListingRow(t.tx, t.companyId, row.id, {
    ...clearedReservation,
    leased_at: t.now,
    updated_at: t.now,
    ...(assigned
      ? {
          status: 'withdrawn',
          withdrawn_at: t.now,
          assigned_at: t.now,
          assigned_to: buyer.name,
          assigned_cents: setup_cents,
        }
      : {
          status: 'leased',
          lessee_company_id: buyer.companyId,
          lessee_name: buyer.name,
          lease_monthly_cents: monthly_cents,
          lease_setup_cents: setup_cents,
          lease_term_months: months,
          lease_ends_at: ends_at,
          lease_notice_at: null,
          lease_notified_days: null,
          withdraws_at_end: false,
        }),
  });
  await installAtBuyer(
    t,
    row,
    previous,
    buyer,
    assigned
      ? null
      : { listingId: row.id, endsAt: ends_at, monthlyCents: monthly_cents, termMonths: months },
  );

  const price = [
    ...(assigned ? [] : [`${formatMoney(monthly_cents)} a month`]),
    ...(setup_cents > 0 ? [`${formatMoney(setup_cents)} once`] : []),
  ].join(' and ');
  const summary =
    ends_at === null
      ? `Assigned to ${buyer.name} for ${price}.`
      : `Leased to ${buyer.name} for ${contract.monthsInWords(months)} at ${price}.`;
  await audit(
    t,
    assigned ? 'marketplace.assigned' : 'marketplace.leased',
    `marketplace:${row.id}`,
    {
      after: {
        to: buyer.companyId,
        monthly_cents,
        setup_cents,
        term_months: assigned ? null : months,
      },
    },
  );
  await recordListingEvent(t, row.id, {
    kind: 'status',
    text: summary,
    status: assigned ? 'withdrawn' : 'leased',
    ...(buyer.byLister ? {} : { by: buyer.name }),
  });
  const until =
    ends_at === null
      ? 'The service on it has been transferred to them permanently.'
      : `The lease ends ${formatDay(ends_at)}.`;
  await mailLister(t, row, `${listingName(row)} was ${assigned ? 'assigned' : 'leased'}`, [
    `${listingName(row)}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    until,
  ]);
  await mailLessee(t, row, buyer.companyId, `${listingName(row)} is now one of your numbers`, [
    ends_at === null
      ? `The service on ${listingName(row)} was assigned to ${buyer.name} for ${price}.`
      : `${buyer.name} leases ${listingName(row)} for ${contract.monthsInWords(months)} at ${price}, until ${formatDay(ends_at)}.`,
    contract.termsOf(row.pricing_type),
  ]);
  return {
    number: row.number,
    type: assigned ? 'assignment' : 'lease',
    monthly_cents,
    setup_cents,
    term_months: assigned ? null : months,
    ends_at,
  };
}

/** The lister's own number is given up; its row and history stay. */
async function releaseFromLister(t: TxCtx, numberId: number): Promise<NumberRecord> {
  const row = await lockNumber(t.tx, t.companyId, numberId, null);
  if (!row || offerProblem(row)) fail('marketplace.taken');
  await giveUpNumber(t, row, { reason: 'Acquired on the marketplace' });
  return row;
}

/** Null: this own number may be offered and taken. */
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
  buyer: { companyId: number; byLister?: boolean },
  lease: LeaseTerms | null,
): Promise<void> {
  const buyerCtx = await switchCompany(t, buyer.companyId);
  // Whoever did it is one of the other company's people when the lister confirms an accepted offer.
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
