import type { VerificationDetail } from '#contract/compliance/registration/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentDetail } from './present.ts';
import { campaignById } from './store.ts';

/** A registration with all it holds; `not_found` when it doesn't exist or is deleted. */
export async function getSmsCampaign(
  ctx: TxCtx,
  id: number,
): Promise<{ data: VerificationDetail }> {
  return {
    data: await presentDetail(ctx, (await campaignById(ctx.tx, ctx.companyId, id)) ?? notFound()),
  };
}
