import type { Ctx } from '../../../platform/context.ts';
import type { RegistrationKey } from './store.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import { campaignById, updateCampaign, updateReview, reviewsOf, insertHistory } from './store.ts';
import { campaignNumbers, removeNumbers } from './store-numbers.ts';

/**
 * Ends a registration at the carrier; once the carrier confirms, it is expired and its numbers are
 * free.
 */
export async function endRegistration(
  ctx: Ctx,
  { campaignId, kind }: RegistrationKey,
): Promise<void> {
  const review = (await ctx.transaction((t) => reviewsOf(t.tx, t.companyId, [campaignId]))).find(
    (r) => r.kind === kind,
  );
  if (review?.status !== 'canceling') return;
  if (review.provider_ref)
    await ctx.gateways.carriers.registration(review.carrier).end(review.provider_ref);
  await ctx.transaction(async (t) => {
    const row = await campaignById(t.tx, t.companyId, campaignId, true);
    const current = (await reviewsOf(t.tx, t.companyId, [campaignId])).find((r) => r.kind === kind);
    if (!row || current?.status !== 'canceling') return;
    await updateReview(t.tx, t.companyId, campaignId, kind, {
      status: 'expired',
      decided_at: t.now,
    });
    // Registering again creates a new campaign at the registry, whose review is charged again.
    if (kind === 'local') await updateCampaign(t.tx, t.companyId, campaignId, { paid_at: null });
    await insertHistory(t.tx, {
      company_id: t.companyId,
      campaign_id: campaignId,
      what: 'expired',
      kind,
      by_name: 'Carrier',
      at: t.now,
    });
    const numberIds = (await campaignNumbers(t.tx, t.companyId, [campaignId]))
      .filter((n) => n.kind === kind)
      .map((n) => n.number_id);
    await removeNumbers(t.tx, t.companyId, campaignId, numberIds);
    await publishRegistrationChanged(t, row, { reason: 'carrier', removedNumberIds: numberIds });
  });
}
