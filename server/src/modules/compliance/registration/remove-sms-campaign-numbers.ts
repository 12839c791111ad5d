import type { VerificationDetail } from '#contract/registration';
import type { TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { invalid, missing } from '../../../platform/refuse.ts';
import { presentDetail } from './present.ts';
import { sayChanged } from './say-changed.ts';
import {
  campaignById,
  campaignNumbers,
  changeNumbers,
  dropNumbers,
  reviewsOf,
  writeStep,
} from './store.ts';

/** Take numbers out: at once where the carrier knows nothing of them, otherwise as soon as it let them go. */
export async function removeSmsCampaignNumbers(
  ctx: TxCtx,
  id: number,
  ids: readonly number[],
): Promise<{ data: VerificationDetail }> {
  const row = (await campaignById(ctx.tx, ctx.companyId, id, true)) ?? missing();
  const reviews = await reviewsOf(ctx.tx, ctx.companyId, [id]);
  const numbers = (await campaignNumbers(ctx.tx, ctx.companyId, [id])).filter(
    (n) => ids.includes(n.number_id) && (!ctx.numbers || ctx.numbers.includes(n.number_id)),
  );
  if (numbers.length < new Set(ids).size)
    invalid({ numbers: 'Choose from the numbers of this campaign.' });
  const known = numbers.filter(
    (n) => n.state !== 'chosen' && reviews.some((r) => r.kind === n.kind && r.status !== 'expired'),
  );
  const unknown = numbers.filter((n) => !known.includes(n));
  await dropNumbers(
    ctx.tx,
    ctx.companyId,
    id,
    unknown.map((n) => n.number_id),
  );
  await changeNumbers(
    ctx.tx,
    ctx.companyId,
    id,
    known.map((n) => n.number_id),
    { state: 'leaving' },
  );
  for (const kind of new Set(known.map((n) => n.kind)))
    await ctx.enqueue(
      'registration.tellNumbers',
      { campaignId: id, kind },
      { queue: `registration:${ctx.companyId}:${id}` },
    );
  await writeStep(ctx.tx, {
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
  await sayChanged(ctx, row, {
    numberIds: known.map((n) => n.number_id),
    gone: reviews.length ? unknown.map((n) => n.number_id) : [],
  });
  return { data: await presentDetail(ctx, row) };
}
