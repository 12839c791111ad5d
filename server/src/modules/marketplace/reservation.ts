import type { TxCtx } from '../../platform/context.ts';
import { mailBuyer, listingName } from './mail-listing.ts';
import {
  lockListingRow,
  updateListingRow,
  type ListingColumns,
  type ListingRecord,
} from './store.ts';
import { countOpenOffers, declineOffers, expireOffer } from './store-offers.ts';

/** The columns of a reservation after it ended. */
export const clearedReservation = {
  reserved_until: null,
  reserved_by_company_id: null,
  reserved_offer_id: null,
} as const;

/**
 * The listing, locked until the transaction ends. An expired reservation is ended first.
 * Undefined: the company has no such listing.
 */
export async function lockListing(t: TxCtx, id: number): Promise<ListingRecord | undefined> {
  const row = await lockListingRow(t.tx, t.companyId, id);
  const isExpired =
    row?.status === 'reserved' && row.reserved_until !== null && row.reserved_until <= t.now;
  return row && isExpired ? freeReservation(t, row) : row;
}

/** Ends a reservation. The accepted offer behind it expires with it, and so does its price. */
export async function freeReservation(t: TxCtx, row: ListingRecord): Promise<ListingRecord> {
  if (row.reserved_offer_id !== null)
    await expireOffer(t.tx, t.companyId, row.reserved_offer_id, t.now);
  const status =
    (await countOpenOffers(t.tx, t.companyId, row.id, t.now)) > 0 ? 'under_offer' : 'listed';
  const set: ListingColumns & Partial<ListingRecord> = {
    status,
    ...clearedReservation,
    updated_at: t.now,
  };
  await updateListingRow(t.tx, t.companyId, row.id, set);
  return { ...row, ...set };
}

/** The number is no longer available: declines the open offers and mails their buyers. */
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
