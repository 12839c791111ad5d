import { systemCtx, type Services, type OutboxNotifier } from '../../../platform/context.ts';
import { reviewByRef } from './store.ts';

/** A carrier says that registrations moved. Each is asked about afterwards: what the registry says then counts, not the webhook. */
export async function receiveReviews(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  refs: readonly string[],
): Promise<void> {
  for (const ref of refs) {
    const review = await reviewByRef(services.db.unscoped, carrier, ref);
    if (!review) continue; // our own answer with the reference is still on its way; handIn asks once it is here
    await systemCtx(services, review.company_id, notifier).transaction((t) =>
      t.enqueue('registration.poll', { campaignId: review.campaign_id, kind: review.kind }),
    );
  }
}
