import type { Ctx } from '../../../platform/context.ts';
import { syncReview } from './sync-review.ts';
import type { RegistrationKey } from './store.ts';
import { reviewsOf } from './store.ts';
import { campaignNumbers } from './store-numbers.ts';

/**
 * Sends the carrier the complete list of a registration's numbers. The list is read at that time,
 * so duplicates and reordering are harmless.
 */
export async function syncNumbers(ctx: Ctx, key: RegistrationKey): Promise<void> {
  const found = await ctx.transaction(async (t) => {
    const review = (await reviewsOf(t.tx, t.companyId, [key.campaignId])).find(
      (r) => r.kind === key.kind,
    );
    const numbers = (await campaignNumbers(t.tx, t.companyId, [key.campaignId]))
      .filter((n) => n.kind === key.kind && n.state !== 'leaving')
      .map((n) => n.number);
    return review?.provider_ref
      ? { carrier: review.carrier, ref: review.provider_ref, numbers }
      : null;
  });
  if (!found) return; // a submission under way carries the numbers itself
  await ctx.gateways.carriers.registration(found.carrier).setNumbers(found.ref, found.numbers);
  await syncReview(ctx, key);
}
