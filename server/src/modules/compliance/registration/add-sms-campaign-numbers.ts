import type { VerificationDetail } from '#contract/compliance/registration/schemas';
import { isTollFree } from '#contract/phone';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { assignNumbers } from './assign-numbers.ts';
import { presentDetail } from './present.ts';
import { registrationProviderFor } from './registration-provider.ts';
import { canAddNumbers } from './rules.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import { campaignById, openReview, reviewsOf, insertHistory } from './store.ts';
import { submitJob, syncNumbersJob } from './job-kinds.ts';

/**
 * Adds numbers. In a draft they are only chosen; after submission each is requested from the
 * carrier, and a kind that had no numbers before starts its own review. `registration.ended` when
 * none of its registrations is in force.
 */
export async function addSmsCampaignNumbers(
  ctx: TxCtx,
  id: number,
  ids: readonly number[],
): Promise<{ data: VerificationDetail }> {
  const row = (await campaignById(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  const reviews = await reviewsOf(ctx.tx, ctx.companyId, [id]);
  if (!canAddNumbers(reviews)) fail('registration.ended');
  const added = await assignNumbers(ctx, row, ids, reviews.length ? 'asked' : 'chosen');
  if (!added.length) return { data: await presentDetail(ctx, row) };
  for (const kind of reviews.length ? (['local', 'toll_free'] as const) : []) {
    if (!added.some((n) => isTollFree(n.number) === (kind === 'toll_free'))) continue;
    const review = reviews.find((r) => r.kind === kind);
    if (!review) {
      await openReview(ctx.tx, {
        company_id: ctx.companyId,
        campaign_id: id,
        kind,
        carrier: (await registrationProviderFor(ctx, id, kind)).name,
        submitted_at: ctx.now,
      });
      await insertHistory(ctx.tx, {
        company_id: ctx.companyId,
        campaign_id: id,
        what: 'submitted',
        kind,
        by_name: ctx.actor.name,
        at: ctx.now,
      });
      await ctx.enqueue(submitJob, { campaignId: id, kind });
    } else if (review.status !== 'expired')
      await ctx.enqueue(syncNumbersJob, { campaignId: id, kind });
  }
  await insertHistory(ctx.tx, {
    company_id: ctx.companyId,
    campaign_id: id,
    what: 'numbers_added',
    kind: null,
    by_name: ctx.actor.name,
    numbers: added.map((n) => n.number),
    at: ctx.now,
  });
  await audit(ctx, 'sms_verification.numbers_added', `smsVerification:${id}`, {
    after: { numbers: added.map((n) => n.number) },
  });
  await publishRegistrationChanged(ctx, row, { numberIds: added.map((n) => n.id) });
  return { data: await presentDetail(ctx, row) };
}
