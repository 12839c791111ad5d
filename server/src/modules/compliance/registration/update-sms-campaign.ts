import type { Body } from '#contract';
import type { updateSmsCampaign as endpoint } from '#contract/compliance/registration/endpoints';
import type { VerificationDetail } from '#contract/compliance/registration/schemas';
import type { Upload } from '../../../platform/routes.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { presentDetail } from './present.ts';
import { canEdit } from './rules.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import { campaignById, reviewsOf } from './store.ts';
import { saveDraft } from './save-draft.ts';

/**
 * Updates a registration. A draft stays one unless the body says otherwise. `registration.locked`
 * when its state allows no changes.
 */
export async function updateSmsCampaign(
  ctx: TxCtx,
  id: number,
  body: Body<typeof endpoint>,
  files: readonly Upload[],
): Promise<{ data: VerificationDetail }> {
  const before = (await campaignById(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  if (!canEdit(await reviewsOf(ctx.tx, ctx.companyId, [id]))) fail('registration.locked');
  const row = await saveDraft(
    ctx,
    before,
    { ...body, is_draft: body.is_draft ?? before.is_draft },
    files,
  );
  await audit(ctx, 'sms_verification.changed', `smsVerification:${id}`);
  await publishRegistrationChanged(ctx, row);
  return { data: await presentDetail(ctx, row) };
}
