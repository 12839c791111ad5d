import { formatMoney, marketplace as contract, type Answer } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { listingName, mailBuyer } from './mail-listing.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { presentDetail, statusLabels } from './present.ts';
import { lockListing } from './reservation.ts';
import { updateListingRow, type ListingRecord } from './store.ts';
import { countOpenOffers, decideOpenOffer, type Offer } from './store-offers.ts';

/**
 * Accepts or declines an open offer. Accepting reserves the number for the buyer, who completes the checkout at the agreed price.
 * Fails with `marketplace.taken` or `marketplace.not_now` when the listing isn't available.
 */
export async function decideOffer(
  ctx: TxCtx,
  id: number,
  offerId: number,
  decision: 'accept' | 'decline',
): Promise<Answer<typeof contract.decideOffer>> {
  const row = (await lockListing(ctx, id)) ?? notFound();
  if (decision === 'accept' && !contract.isAvailable(row.status))
    fail(row.status === 'reserved' ? 'marketplace.taken' : 'marketplace.not_now', {
      status: statusLabels[row.status],
    });
  const status = decision === 'accept' ? 'accepted' : 'declined';
  const offer =
    (await decideOpenOffer(ctx.tx, ctx.companyId, id, offerId, status, ctx.now)) ?? notFound();
  await audit(ctx, `marketplace.offer_${status}`, `marketplace:${id}`, {
    after: { offerId, amount_cents: offer.amount_cents },
  });
  if (decision === 'accept') await acceptOffer(ctx, row, offer);
  else await declineOffer(ctx, row, offer);
  return { data: await presentDetail(ctx, id) };
}

const termsOf = (offer: Offer): string =>
  `${formatMoney(offer.amount_cents)} a month for ${contract.monthsInWords(offer.term_months)}`;
const buyerOf = (offer: Offer) => ({ to: offer.buyer_email, companyId: offer.buyer_company_id });

async function acceptOffer(ctx: TxCtx, row: ListingRecord, offer: Offer): Promise<void> {
  // A day instead of the checkout's 15 minutes, because the buyer isn't at the screen.
  await updateListingRow(ctx.tx, ctx.companyId, row.id, {
    status: 'reserved',
    reserved_by_company_id: offer.buyer_company_id,
    reserved_offer_id: offer.id,
    reserved_until: new Date(ctx.now.getTime() + contract.acceptedOfferHours * 3_600_000),
    updated_at: ctx.now,
  });
  await recordListingEvent(ctx, row.id, {
    kind: 'offer',
    text: `Accepted ${offer.buyer_name}’s offer of ${termsOf(offer)}. Reserved for them for one day.`,
    status: 'reserved',
  });
  const name = listingName(row);
  await mailBuyer(ctx, row, buyerOf(offer), `Your offer for ${name} was accepted`, [
    `Your offer of ${termsOf(offer)} for ${name} was accepted.`,
    `The number is reserved for ${offer.buyer_name} for ${contract.acceptedOfferHours} hours. Confirm the lease to make it yours.`,
  ]);
}

async function declineOffer(ctx: TxCtx, row: ListingRecord, offer: Offer): Promise<void> {
  const wasLastOffer =
    row.status === 'under_offer' &&
    (await countOpenOffers(ctx.tx, ctx.companyId, row.id, ctx.now)) === 0;
  const status = wasLastOffer ? 'listed' : row.status;
  if (wasLastOffer)
    await updateListingRow(ctx.tx, ctx.companyId, row.id, { status, updated_at: ctx.now });
  await recordListingEvent(ctx, row.id, {
    kind: 'offer',
    text: `Declined ${offer.buyer_name}’s offer of ${termsOf(offer)}.`,
    status,
  });
  const name = listingName(row);
  await mailBuyer(ctx, row, buyerOf(offer), `Your offer for ${name} was declined`, [
    `Your offer of ${termsOf(offer)} for ${name} was declined.`,
  ]);
}
