import type { VerificationDetail } from '#contract/compliance/registration/schemas';
import type { RegistrationKind } from '#contract/compliance/registration/lists';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { presentDetail } from './present.ts';
import { canCancel } from './rules.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import { campaignById, updateReview, reviewsOf, insertHistory } from './store.ts';
import { campaignNumbers } from './store-numbers.ts';
import { endJob } from './job-kinds.ts';

/**
 * Asks the carrier to end the registration of one kind of number, which may take a few minutes. Its
 * numbers stop being verified immediately. `registration.not_cancelable` when its state doesn't
 * allow it.
 */
export async function cancelSmsCampaign(
  ctx: TxCtx,
  id: number,
  kind: RegistrationKind,
): Promise<{ data: VerificationDetail }> {
  const row = (await campaignById(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  const review = (await reviewsOf(ctx.tx, ctx.companyId, [id])).find((r) => r.kind === kind);
  if (!canCancel(review?.status)) fail('registration.not_cancelable');
  await updateReview(ctx.tx, ctx.companyId, id, kind, { status: 'canceling' });
  await insertHistory(ctx.tx, {
    company_id: ctx.companyId,
    campaign_id: id,
    what: 'cancel_requested',
    kind,
    by_name: ctx.actor.name,
    at: ctx.now,
  });
  await audit(ctx, 'sms_verification.canceled', `smsVerification:${id}`, { after: { kind } });
  await ctx.enqueue(endJob, { campaignId: id, kind });
  await publishRegistrationChanged(ctx, row, {
    numberIds: (await campaignNumbers(ctx.tx, ctx.companyId, [id]))
      .filter((n) => n.kind === kind)
      .map((n) => n.number_id),
  });
  return { data: await presentDetail(ctx, row) };
}
