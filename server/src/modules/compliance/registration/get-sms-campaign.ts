import type { VerificationDetail } from '#contract/compliance/registration/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { presentDetail } from './present.ts';
import { campaignById } from './store.ts';

export async function getSmsCampaign(
  ctx: TxCtx,
  id: number,
): Promise<{ data: VerificationDetail }> {
  return {
    data: await presentDetail(ctx, (await campaignById(ctx.tx, ctx.companyId, id)) ?? notFound()),
  };
}
