import type { Body } from '#contract';
import type { updateSmsCampaign as said, VerificationDetail } from '#contract/registration';
import type { Upload } from '../../../platform/answer.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { presentDetail } from './present.ts';
import { mayChange } from './rules.ts';
import { sayChanged } from './say-changed.ts';
import { campaignById, reviewsOf } from './store.ts';
import { writeDraft } from './write-draft.ts';

/** What a draft is stays one unless it is said to be complete. */
export async function updateSmsCampaign(
  ctx: TxCtx,
  id: number,
  body: Body<typeof said>,
  files: readonly Upload[],
): Promise<{ data: VerificationDetail }> {
  const before = (await campaignById(ctx.tx, ctx.companyId, id, true)) ?? missing();
  if (!mayChange(await reviewsOf(ctx.tx, ctx.companyId, [id]))) refuse('registration.locked');
  const row = await writeDraft(
    ctx,
    before,
    { ...body, is_draft: body.is_draft ?? before.is_draft },
    files,
  );
  await audit(ctx, 'sms_verification.changed', `smsVerification:${id}`);
  await sayChanged(ctx, row);
  return { data: await presentDetail(ctx, row) };
}
