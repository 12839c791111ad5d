import type { EventData, numbers } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { actorFor } from '../numbers/index.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { declineOpenOffers, freeReservation } from './reservation.ts';
import { lockListingOf, updateListingRow } from './store.ts';

/**
 * A number of the company is being released: its listing becomes a draft, and open offers are
 * declined. Until this runs the number can't be reserved or taken, because both check its row.
 * A listing that was listed after the release, because the number was kept, stays.
 */
export async function unlistReleased(
  ctx: TxCtx,
  event: EventData<typeof numbers.numberReleasing>,
): Promise<void> {
  const listing = await lockListingOf(ctx.tx, ctx.companyId, event);
  if (!listing || listing.status === 'draft' || listing.status === 'leased') return;
  if (listing.listed_at !== null && listing.listed_at > new Date(event.releasingAt)) return;
  const row = listing.status === 'reserved' ? await freeReservation(ctx, listing) : listing;
  await declineOpenOffers(ctx, row);
  await updateListingRow(ctx.tx, ctx.companyId, row.id, { status: 'draft', updated_at: ctx.now });
  const asReleaser = { ...ctx, actor: await actorFor(ctx, event.by ?? 0) };
  await recordListingEvent(asReleaser, row.id, {
    kind: 'status',
    text: 'Unlisted because the number is being released.',
    status: 'draft',
  });
}
