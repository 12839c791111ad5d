import type { TxCtx } from '../../platform/context.ts';
import { mailBuyer, listingName } from './mail-listing.ts';
import {
  declineOffers,
  expireOffer,
  lockListingRow,
  openOffers,
  updateListingRow,
  type ListingColumns,
  type ListingRecord,
} from './store.ts';

/** What a reservation leaves behind when it is over. */
export const clearedReservation = {
  reserved_until: null,
  reserved_by_company_id: null,
  reserved_offer_id: null,
} as const;

/** The listing, locked, as it stands now: a reservation that has run out is undone first. */
export async function lockListing(t: TxCtx, id: number): Promise<ListingRecord | undefined> {
  const row = await lockListingRow(t.tx, t.companyId, id);
  const isExpired =
    row?.status === 'reserved' &&
    row.reserved_until !== null &&
    new Date(row.reserved_until) <= t.now;
  return row && isExpired ? freeReservation(t, row) : row;
}

/** Nobody has it to themselves any more; the price of an accepted offer goes with its reservation. */
export async function freeReservation(t: TxCtx, row: ListingRecord): Promise<ListingRecord> {
  if (row.reserved_offer_id !== null)
    await expireOffer(t.tx, t.companyId, row.reserved_offer_id, t.now);
  const status =
    (await openOffers(t.tx, t.companyId, row.id, t.now)) > 0 ? 'under_offer' : 'listed';
  const set: ListingColumns & Partial<ListingRecord> = {
    status,
    ...clearedReservation,
    updated_at: t.now,
  };
  await updateListingRow(t.tx, t.companyId, row.id, set);
  return { ...row, ...set };
}

/** The number is off the market: whoever waits for an answer to an offer gets one. */
export async function declineOpenOffers(t: TxCtx, row: ListingRecord): Promise<void> {
  for (const offer of await declineOffers(t.tx, t.companyId, row.id, t.now)) {
    await mailBuyer(
      t,
      row,
      { to: offer.buyer_email, companyId: offer.buyer_company_id },
      `${listingName(row)} is no longer available`,
      [
        `Your offer for ${listingName(row)} was declined because the number is no longer available.`,
      ],
    );
  }
}
