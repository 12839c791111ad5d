import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import { canDelete } from './rules.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import { campaignById, updateCampaign, reviewsOf } from './store.ts';
import { campaignNumbers, removeNumbers } from './store-numbers.ts';

/**
 * Soft-deletes a registration: it leaves the lists, and its review history stays in the tables.
 * `registration.active` while a carrier holds it.
 */
export async function deleteSmsCampaign(ctx: TxCtx, id: number): Promise<void> {
  const row = (await campaignById(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  const reviews = await reviewsOf(ctx.tx, ctx.companyId, [id]);
  if (!canDelete(reviews)) fail('registration.active');
  const numbers = (await campaignNumbers(ctx.tx, ctx.companyId, [id])).map((n) => n.number_id);
  await publishRegistrationChanged(ctx, row, {
    removedNumberIds: reviews.length ? numbers : [],
    reason: 'deleted',
  });
  await removeNumbers(ctx.tx, ctx.companyId, id, numbers);
  await updateCampaign(ctx.tx, ctx.companyId, id, { deleted_at: ctx.now });
  await audit(ctx, 'sms_verification.deleted', `smsVerification:${id}`);
}
