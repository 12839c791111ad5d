import { formatMoney, marketplace as contract, type Answer } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { called, mailBuyer } from './mail-listing.ts';
import { noteItem } from './note-item.ts';
import { presentDetail, word } from './present.ts';
import { lockStanding } from './reservation.ts';
import { decide, openOffers, updateItem } from './store.ts';

/** Accepting reserves the number for the one who offered; they end the checkout at the agreed price. */
export async function decideOffer(
  ctx: TxCtx,
  id: number,
  offerId: number,
  decision: 'accept' | 'decline',
): Promise<Answer<typeof contract.decideOffer>> {
  const row = (await lockStanding(ctx, id)) ?? missing();
  const accepted = decision === 'accept';
  if (accepted && !contract.isOnOffer(row.status))
    refuse(row.status === 'reserved' ? 'marketplace.taken' : 'marketplace.not_now', {
      status: word[row.status],
    });
  const offer =
    (await decide(
      ctx.tx,
      ctx.companyId,
      id,
      offerId,
      accepted ? 'accepted' : 'declined',
      ctx.now,
    )) ?? missing();
  await audit(
    ctx,
    `marketplace.offer_${decision === 'accept' ? 'accepted' : 'declined'}`,
    `marketplace:${id}`,
    { after: { offerId, amount_cents: offer.amount_cents } },
  );
  const what = `${formatMoney(offer.amount_cents)} a month for ${contract.monthsInWords(offer.term_months)}`;
  const buyer = { to: offer.buyer_email, companyId: offer.buyer_company_id };
  if (accepted) {
    // A day instead of the checkout's 15 minutes: the other side is not at its screen.
    await updateItem(ctx.tx, ctx.companyId, id, {
      status: 'reserved',
      reserved_by_company_id: offer.buyer_company_id,
      reserved_offer_id: offer.id,
      reserved_until: new Date(ctx.now.getTime() + contract.acceptedHours * 3_600_000),
      updated_at: ctx.now,
    });
    await noteItem(ctx, id, {
      kind: 'offer',
      text: `Accepted ${offer.buyer_name}’s offer of ${what}; reserved for them for a day.`,
      status: 'reserved',
    });
    await mailBuyer(ctx, row, buyer, `Your offer for ${called(row)} was accepted`, [
      `Your offer of ${what} for ${called(row)} was accepted.`,
      `The number is reserved for ${offer.buyer_name} for ${contract.acceptedHours} hours. Confirm the lease to make it yours.`,
    ]);
  } else {
    const status =
      row.status === 'under_offer' && (await openOffers(ctx.tx, ctx.companyId, id, ctx.now)) === 0
        ? 'listed'
        : row.status;
    if (status !== row.status)
      await updateItem(ctx.tx, ctx.companyId, id, { status, updated_at: ctx.now });
    await noteItem(ctx, id, {
      kind: 'offer',
      text: `Declined ${offer.buyer_name}’s offer of ${what}.`,
      status,
    });
    await mailBuyer(ctx, row, buyer, `Your offer for ${called(row)} was declined`, [
      `Your offer of ${what} for ${called(row)} was declined.`,
    ]);
  }
  return { data: await presentDetail(ctx, id) };
}
