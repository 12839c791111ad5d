import type { RegistrationKind } from '#contract/registration-lists';
import type { Ctx } from '../../../platform/context.ts';
import { brandOf, campaignOf, papersOf } from './papers.ts';
import { sayChanged } from './say-changed.ts';
import {
  brandsByIds,
  campaignById,
  campaignNumbers,
  changeBrand,
  changeReview,
  reviewsOf,
  writeStep,
} from './store.ts';
import { followReview } from './follow-review.ts';

export interface Which {
  campaignId: number;
  kind: RegistrationKind;
}
/** Reviewers may look at the proof for a month. */
const proofSeconds = 30 * 86_400;

/** Bring the papers to the carrier. It throws while the carrier is away and is tried again; the key makes twice once. */
export async function handIn(ctx: Ctx, { campaignId, kind }: Which): Promise<void> {
  const found = await ctx.transaction(async (t) => {
    const row = await campaignById(t.tx, t.companyId, campaignId);
    const review = (await reviewsOf(t.tx, t.companyId, [campaignId])).find((r) => r.kind === kind);
    if (!row || review?.status !== 'submitted') return null;
    const brand = (await brandsByIds(t.tx, t.companyId, [row.brand_id])).get(row.brand_id)!;
    const numbers = (await campaignNumbers(t.tx, t.companyId, [campaignId]))
      .filter((n) => n.kind === kind && n.state !== 'leaving')
      .map((n) => n.number);
    const url = (fileId: number) =>
      t.settings.publicUrl + t.files.sign(t.companyId, fileId, t.now, proofSeconds);
    return {
      papers: papersOf(kind, brandOf(brand.details), campaignOf(row.details), numbers, url),
      key: `r.${t.companyId}.${campaignId}.${kind}`,
      attempt: review.attempt,
      carrier: review.carrier,
    };
  });
  if (!found) return;
  const { ref } = await ctx.ports.carriers
    .registration(found.carrier)
    .submit(found.papers, found.key, found.attempt);
  await ctx.transaction(async (t) => {
    const row = await campaignById(t.tx, t.companyId, campaignId, true);
    const review = (await reviewsOf(t.tx, t.companyId, [campaignId])).find((r) => r.kind === kind);
    if (!row || !review || review.attempt !== found.attempt) return;
    // Canceled meanwhile: the reference is kept all the same, because the carrier must be told to end it.
    const goesOn = review.status === 'submitted';
    await changeReview(t.tx, t.companyId, campaignId, kind, {
      provider_ref: ref,
      ...(goesOn ? { status: 'in_review' } : {}),
    });
    if (!goesOn) return;
    const brand = (await brandsByIds(t.tx, t.companyId, [row.brand_id])).get(row.brand_id)!;
    if (brand.status === 'submitted')
      await changeBrand(t.tx, t.companyId, brand.id, { status: 'in_review' });
    await writeStep(t.tx, {
      company_id: t.companyId,
      campaign_id: campaignId,
      what: 'in_review',
      kind,
      by_name: 'Carrier',
      at: t.now,
    });
    await sayChanged(t, row, {
      numberIds: (await campaignNumbers(t.tx, t.companyId, [campaignId]))
        .filter((n) => n.kind === kind)
        .map((n) => n.number_id),
    });
  });
  // A carrier that decides at once has said so before it had our reference.
  await followReview(ctx, { campaignId, kind });
}
