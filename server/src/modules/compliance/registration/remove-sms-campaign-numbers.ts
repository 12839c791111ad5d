import type { VerificationDetail } from '#contract/compliance/registration/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { presentDetail } from './present.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import { campaignById, reviewsOf, insertHistory } from './store.ts';
import { campaignNumbers, updateNumbers, removeNumbers } from './store-numbers.ts';
import { syncNumbersJob } from './job-kinds.ts';

/**
 * Removes numbers: at once if the carrier doesn't know them yet, otherwise as soon as the carrier
 * confirms. Fails with a field error for numbers that are not in the campaign.
 */
export async function removeSmsCampaignNumbers(
  ctx: TxCtx,
  id: number,
  ids: readonly number[],
): Promise<{ data: VerificationDetail }> {
  const row = (await campaignById(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  const reviews = await reviewsOf(ctx.tx, ctx.companyId, [id]);
  const numbers = (await campaignNumbers(ctx.tx, ctx.companyId, [id])).filter(
    (n) => ids.includes(n.number_id) && (!ctx.numbers || ctx.numbers.includes(n.number_id)),
  );
  if (numbers.length < new Set(ids).size)
    invalid({ numbers: 'Choose from this campaign’s numbers.' });
  const registered = numbers.filter(
    (n) => n.state !== 'chosen' && reviews.some((r) => r.kind === n.kind && r.status !== 'expired'),
  );
  const unregistered = numbers.filter((n) => !registered.includes(n));
  await removeNumbers(
    ctx.tx,
    ctx.companyId,
    id,
    unregistered.map((n) => n.number_id),
  );
  await updateNumbers(
    ctx.tx,
    ctx.companyId,
    id,
    registered.map((n) => n.number_id),
    { state: 'leaving' },
  );
  for (const kind of new Set(registered.map((n) => n.kind)))
    await ctx.enqueue(syncNumbersJob, { campaignId: id, kind });
  await insertHistory(ctx.tx, {
    company_id: ctx.companyId,
    campaign_id: id,
    what: 'numbers_removed',
    kind: null,
    by_name: ctx.actor.name,
    numbers: numbers.map((n) => n.number),
    at: ctx.now,
  });
  await audit(ctx, 'sms_verification.numbers_removed', `smsVerification:${id}`, {
    after: { numbers: numbers.map((n) => n.number) },
  });
  await publishRegistrationChanged(ctx, row, {
    numberIds: registered.map((n) => n.number_id),
    removedNumberIds: reviews.length ? unregistered.map((n) => n.number_id) : [],
  });
  return { data: await presentDetail(ctx, row) };
}
