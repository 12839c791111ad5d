import type { TxCtx } from '../../../platform/context.ts';
import { mailBuyer, called } from './mail-listing.ts';
import {
  declineOpen,
  expireOffer,
  lockItem,
  openOffers,
  updateItem,
  type ItemColumns,
  type ItemRecord,
} from './store.ts';

/** What a reservation leaves behind when it is over. */
export const noReservation = {
  reserved_until: null,
  reserved_by_company_id: null,
  reserved_offer_id: null,
} as const;

/** The listing, locked, as it stands now: a reservation that has run out is undone first. */
export async function lockStanding(t: TxCtx, id: number): Promise<ItemRecord | undefined> {
  const row = await lockItem(t.tx, t.companyId, id);
  const over =
    row?.status === 'reserved' &&
    row.reserved_until !== null &&
    new Date(row.reserved_until) <= t.now;
  return row && over ? freeReservation(t, row) : row;
}

/** Nobody has it to themselves any more; the price of an accepted offer goes with its reservation. */
export async function freeReservation(t: TxCtx, row: ItemRecord): Promise<ItemRecord> {
  if (row.reserved_offer_id !== null)
    await expireOffer(t.tx, t.companyId, row.reserved_offer_id, t.now);
  const status =
    (await openOffers(t.tx, t.companyId, row.id, t.now)) > 0 ? 'under_offer' : 'listed';
  const set: ItemColumns & Partial<ItemRecord> = { status, ...noReservation, updated_at: t.now };
  await updateItem(t.tx, t.companyId, row.id, set);
  return { ...row, ...set };
}

/** The number is off the market: whoever waits for an answer to an offer gets one. */
export async function declineTheRest(t: TxCtx, row: ItemRecord): Promise<void> {
  for (const offer of await declineOpen(t.tx, t.companyId, row.id, t.now)) {
    await mailBuyer(
      t,
      row,
      { to: offer.buyer_email, companyId: offer.buyer_company_id },
      `${called(row)} is no longer available`,
      [`Your offer for ${called(row)} was declined because the number is no longer available.`],
    );
  }
}
