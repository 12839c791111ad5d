import type { Ctx } from '../../../platform/context.ts';
import { brandOf, campaignOf, documentsOf } from './documents.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import {
  brandOfCampaign,
  campaignById,
  updateBrand,
  updateReview,
  reviewsOf,
  insertHistory,
} from './store.ts';
import type { RegistrationKey } from './store.ts';
import { campaignNumbers } from './store-numbers.ts';
import { syncReview } from './sync-review.ts';

/** Signed proof URLs stay valid for a month, for the reviewers. */
const proofLinkSeconds = 30 * 86_400;

/**
 * Submits the documents to the carrier (a job). Throws while the carrier is unavailable and is
 * retried; the key makes retries idempotent.
 */
export async function submitToRegistry(
  ctx: Ctx,
  { campaignId, kind }: RegistrationKey,
): Promise<void> {
  const found = await ctx.transaction(async (t) => {
    const row = await campaignById(t.tx, t.companyId, campaignId);
    const review = (await reviewsOf(t.tx, t.companyId, [campaignId])).find((r) => r.kind === kind);
    if (!row || review?.status !== 'submitted') return null;
    const brand = await brandOfCampaign(t.tx, row);
    const numbers = (await campaignNumbers(t.tx, t.companyId, [campaignId]))
      .filter((n) => n.kind === kind && n.state !== 'leaving')
      .map((n) => n.number);
    const url = (fileId: number) =>
      t.settings.publicUrl + t.files.signUrl(t.companyId, fileId, t.now, proofLinkSeconds);
    return {
      documents: documentsOf(kind, brandOf(brand.details), campaignOf(row.details), numbers, url),
      key: `r.${t.companyId}.${campaignId}.${kind}`,
      attempt: review.attempt,
      carrier: review.carrier,
    };
  });
  if (!found) return;
  const { ref } = await ctx.gateways.carriers
    .registration(found.carrier)
    .submit(found.documents, found.key, found.attempt);
  await ctx.transaction(async (t) => {
    const row = await campaignById(t.tx, t.companyId, campaignId, true);
    const review = (await reviewsOf(t.tx, t.companyId, [campaignId])).find((r) => r.kind === kind);
    if (!row || !review || review.attempt !== found.attempt) return;
    // Canceled meanwhile: store the reference anyway, because the carrier must be told to end it.
    const stillSubmitted = review.status === 'submitted';
    await updateReview(t.tx, t.companyId, campaignId, kind, {
      provider_ref: ref,
      ...(stillSubmitted ? { status: 'in_review' } : {}),
    });
    if (!stillSubmitted) return;
    const brand = await brandOfCampaign(t.tx, row);
    if (brand.status === 'submitted')
      await updateBrand(t.tx, t.companyId, brand.id, { status: 'in_review' });
    await insertHistory(t.tx, {
      company_id: t.companyId,
      campaign_id: campaignId,
      what: 'in_review',
      kind,
      by_name: 'Carrier',
      at: t.now,
    });
    await publishRegistrationChanged(t, row, {
      numberIds: (await campaignNumbers(t.tx, t.companyId, [campaignId]))
        .filter((n) => n.kind === kind)
        .map((n) => n.number_id),
    });
  });
  // A carrier that decides immediately sent its webhook before we had stored the reference.
  await syncReview(ctx, { campaignId, kind });
}
