import type { TxCtx } from '../../../platform/context.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { declineOpenOffers, freeReservation } from './reservation.ts';
import { lockListingOf, updateListingRow } from './store.ts';

/**
 * One of the company's own numbers is being given up: its listing is a draft again, so nobody can take it. Call before the
 * number's own row is locked: whoever takes a number locks its listing first.
 */
export async function unlistNumber(t: TxCtx, numberId: number): Promise<void> {
  const listing = await lockListingOf(t.tx, t.companyId, numberId);
  if (!listing || listing.status === 'draft' || listing.status === 'leased') return;
  const row = listing.status === 'reserved' ? await freeReservation(t, listing) : listing;
  await declineOpenOffers(t, row);
  await updateListingRow(t.tx, t.companyId, row.id, { status: 'draft', updated_at: t.now });
  await recordListingEvent(t, row.id, {
    kind: 'status',
    text: 'Unlisted because the number is being released.',
    status: 'draft',
  });
}
