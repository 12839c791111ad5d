import type { Ctx } from '../../../platform/context.ts';
import { followReview } from './follow-review.ts';
import type { Which } from './hand-in.ts';
import { campaignNumbers, reviewsOf } from './store.ts';

/** Tell the carrier which numbers a registration has now, all of them: telling it twice, or the older of two changes last, is harmless. */
export async function tellNumbers(ctx: Ctx, which: Which): Promise<void> {
  const found = await ctx.transaction(async (t) => {
    const review = (await reviewsOf(t.tx, t.companyId, [which.campaignId])).find(
      (r) => r.kind === which.kind,
    );
    const numbers = (await campaignNumbers(t.tx, t.companyId, [which.campaignId]))
      .filter((n) => n.kind === which.kind && n.state !== 'leaving')
      .map((n) => n.number);
    return review?.provider_ref
      ? { carrier: review.carrier, ref: review.provider_ref, numbers }
      : null;
  });
  if (!found) return; // papers that are on their way carry the numbers themselves
  await ctx.ports.carriers.registration(found.carrier).setNumbers(found.ref, found.numbers);
  await followReview(ctx, which);
}
