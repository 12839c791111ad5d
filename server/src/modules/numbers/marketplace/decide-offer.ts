import { marketplace as contract, type Answer } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { noteItem } from './note-item.ts';
import { presentDetail, standing, word } from './present.ts';
import { decide, lockItem, openOffers, updateItem } from './store.ts';

/** Accepting reserves the number for the one who offered; they end the checkout at the agreed price. */
export async function decideOffer(ctx: TxCtx, id: number, offerId: number, decision: 'accept' | 'decline'): Promise<Answer<typeof contract.decideOffer>> {
  const row = (await lockItem(ctx.tx, ctx.companyId, id)) ?? missing();
  const now = standing(row, ctx.now);
  if (decision === 'accept' && !contract.isOnOffer(now)) refuse(now === 'reserved' ? 'marketplace.taken' : 'marketplace.not_now', { status: word[now] });
  const offer = (await decide(ctx.tx, ctx.companyId, offerId, decision === 'accept' ? 'accepted' : 'declined', ctx.now)) ?? missing();
  await audit(ctx, `marketplace.offer_${decision}ed`, `marketplace:${id}`, { after: { offerId, amount_cents: offer.amount_cents } });
  if (decision === 'accept') {
    // A day instead of the checkout's 15 minutes: the other side is not at its screen.
    await updateItem(ctx.tx, ctx.companyId, id, { status: 'reserved', reserved_by_company_id: offer.buyer_company_id, reserved_until: new Date(ctx.now.getTime() + 86_400_000), updated_at: ctx.now });
    await noteItem(ctx, id, { kind: 'offer', text: `Accepted ${offer.buyer_name}’s offer; reserved for them for a day.`, status: 'reserved' });
  } else {
    const status = now === 'under_offer' && (await openOffers(ctx.tx, ctx.companyId, id, ctx.now)) === 0 ? 'listed' : now;
    if (status !== now) await updateItem(ctx.tx, ctx.companyId, id, { status, updated_at: ctx.now });
    await noteItem(ctx, id, { kind: 'offer', text: `Declined ${offer.buyer_name}’s offer.`, status });
  }
  return { data: await presentDetail(ctx, id) };
}
