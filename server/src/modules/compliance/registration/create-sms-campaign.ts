import type { Body } from '#contract';
import type { createSmsCampaign as endpoint } from '#contract/compliance/registration/endpoints';
import type { VerificationDetail } from '#contract/compliance/registration/schemas';
import type { Upload } from '../../../platform/routes.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { presentDetail } from './present.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import { insertCampaign, insertHistory } from './store.ts';
import { brandFor, saveDraft } from './save-draft.ts';

/**
 * Starts the registration of a 10DLC or toll-free campaign as a draft, with its brand and files.
 */
export async function createSmsCampaign(
  ctx: TxCtx,
  body: Body<typeof endpoint>,
  files: readonly Upload[],
): Promise<{ data: VerificationDetail }> {
  const brand = await brandFor(ctx, body);
  const inserted = await insertCampaign(ctx.tx, {
    company_id: ctx.companyId,
    brand_id: brand.id,
    created_by: ctx.actor.userId || null,
    created_at: ctx.now,
    updated_at: ctx.now,
  });
  const row = await saveDraft(ctx, inserted, { ...body, brand_id: brand.id }, files);
  await insertHistory(ctx.tx, {
    company_id: ctx.companyId,
    campaign_id: row.id,
    what: 'created',
    kind: null,
    by_name: ctx.actor.name,
    at: ctx.now,
  });
  await audit(ctx, 'sms_verification.created', `smsVerification:${row.id}`);
  await publishRegistrationChanged(ctx, row);
  return { data: await presentDetail(ctx, row) };
}
