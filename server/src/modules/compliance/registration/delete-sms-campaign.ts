import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { mayDelete } from './rules.ts';
import { sayChanged } from './say-changed.ts';
import { campaignById, campaignNumbers, changeCampaign, dropNumbers, reviewsOf } from './store.ts';

/** Gone from the lists; what the reviewers said of it stays in the tables. */
export async function deleteSmsCampaign(ctx: TxCtx, id: number): Promise<void> {
  const row = (await campaignById(ctx.tx, ctx.companyId, id, true)) ?? missing();
  const reviews = await reviewsOf(ctx.tx, ctx.companyId, [id]);
  if (!mayDelete(reviews)) refuse('registration.active');
  const numbers = (await campaignNumbers(ctx.tx, ctx.companyId, [id])).map((n) => n.number_id);
  await sayChanged(ctx, row, { gone: reviews.length ? numbers : [], because: 'deleted' });
  await dropNumbers(ctx.tx, ctx.companyId, id, numbers);
  await changeCampaign(ctx.tx, ctx.companyId, id, { deleted_at: ctx.now });
  await audit(ctx, 'sms_verification.deleted', `smsVerification:${id}`);
}
