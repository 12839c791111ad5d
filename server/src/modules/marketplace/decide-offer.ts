import { formatMoney, marketplace as contract, type Answer } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { listingName, mailBuyer } from './mail-listing.ts';
import { recordListingEvent } from './record-listing-event.ts';
import { presentDetail, statusLabels } from './present.ts';
import { lockListing } from './reservation.ts';
import { decideOpenOffer, openOffers, updateListingRow } from './store.ts';

/** Accepting reserves the number for the one who offered; they end the checkout at the agreed price. */
export async function decideOffer(
  ctx: TxCtx,
  id: number,
  offerId: number,
  decision: 'accept' | 'decline',
): Promise<Answer<typeof contract.decideOffer>> {
  const row = (await lockListing(ctx, id)) ?? notFound();
  const accepted = decision === 'accept';
  if (accepted && !contract.isAvailable(row.status))
    fail(row.status === 'reserved' ? 'marketplace.taken' : 'marketplace.not_now', {
      status: statusLabels[row.status],
    });
  const offer =
    (await decideOpenOffer(
      ctx.tx,
      ctx.companyId,
      id,
      offerId,
      accepted ? 'accepted' : 'declined',
      ctx.now,
    )) ?? notFound();
  await audit(
    ctx,
    `marketplace.offer_${decision === 'accept' ? 'accepted' : 'declined'}`,
    `marketplace:${id}`,
    { after: { offerId, amount_cents: offer.amount_cents } },
  );
  const terms = `${formatMoney(offer.amount_cents)} a month for ${contract.monthsInWords(offer.term_months)}`;
  const buyer = { to: offer.buyer_email, companyId: offer.buyer_company_id };
  if (accepted) {
    // A day instead of the checkout's 15 minutes: the other side is not at its screen.
    await updateListingRow(ctx.tx, ctx.companyId, id, {
      status: 'reserved',
      reserved_by_company_id: offer.buyer_company_id,
      reserved_offer_id: offer.id,
      reserved_until: new Date(ctx.now.getTime() + contract.acceptedOfferHours * 3_600_000),
      updated_at: ctx.now,
    });
    await recordListingEvent(ctx, id, {
      kind: 'offer',
      text: `Accepted ${offer.buyer_name}’s offer of ${terms}. Reserved for them for one day.`,
      status: 'reserved',
    });
    await mailBuyer(ctx, row, buyer, `Your offer for ${listingName(row)} was accepted`, [
      `Your offer of ${terms} for ${listingName(row)} was accepted.`,
      `The number is reserved for ${offer.buyer_name} for ${contract.acceptedOfferHours} hours. Confirm the lease to make it yours.`,
    ]);
  } else {
    const status =
      row.status === 'under_offer' && (await openOffers(ctx.tx, ctx.companyId, id, ctx.now)) === 0
        ? 'listed'
        : row.status;
    if (status !== row.status)
      await updateListingRow(ctx.tx, ctx.companyId, id, { status, updated_at: ctx.now });
    await recordListingEvent(ctx, id, {
      kind: 'offer',
      text: `Declined ${offer.buyer_name}’s offer of ${terms}.`,
      status,
    });
    await mailBuyer(ctx, row, buyer, `Your offer for ${listingName(row)} was declined`, [
      `Your offer of ${terms} for ${listingName(row)} was declined.`,
    ]);
  }
  return { data: await presentDetail(ctx, id) };
}
