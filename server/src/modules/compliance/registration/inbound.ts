import { systemCtx, type Services, type OutboxNotifier } from '../../../platform/context.ts';
import { reviewByRef } from './store.ts';
import { pollJob } from './job-kinds.ts';

// The system role: asks the global directory whose a number or a carrier’s object is.

/**
 * Handles a carrier webhook about changed registrations. Each review is then fetched from the
 * registry: that response counts, not the webhook's contents.
 */
export async function receiveReviews(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  refs: readonly string[],
): Promise<void> {
  for (const ref of refs) {
    const review = await reviewByRef(services.db.unscoped, carrier, ref);
    // Our submit request with this reference has not returned yet; submitToRegistry syncs once it has.
    if (!review) continue;
    await systemCtx(services, review.company_id, notifier).transaction((t) =>
      t.enqueue(pollJob, { campaignId: review.campaign_id, kind: review.kind }),
    );
  }
}
