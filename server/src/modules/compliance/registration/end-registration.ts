import type { Ctx } from '../../../platform/context.ts';
import type { Which } from './hand-in.ts';
import { sayChanged } from './say-changed.ts';
import {
  campaignById,
  campaignNumbers,
  changeCampaign,
  changeReview,
  dropNumbers,
  reviewsOf,
  writeStep,
} from './store.ts';

/** Tell the carrier that a registration ends; once it knows, it has expired and its numbers are free. */
export async function endRegistration(ctx: Ctx, { campaignId, kind }: Which): Promise<void> {
  const review = (await ctx.transaction((t) => reviewsOf(t.tx, t.companyId, [campaignId]))).find(
    (r) => r.kind === kind,
  );
  if (review?.status !== 'canceling') return;
  if (review.provider_ref)
    await ctx.ports.carriers.registration(review.carrier).end(review.provider_ref);
  await ctx.transaction(async (t) => {
    const row = await campaignById(t.tx, t.companyId, campaignId, true);
    const now = (await reviewsOf(t.tx, t.companyId, [campaignId])).find((r) => r.kind === kind);
    if (!row || now?.status !== 'canceling') return;
    await changeReview(t.tx, t.companyId, campaignId, kind, {
      status: 'expired',
      decided_at: t.now,
    });
    // Registered again, it is a new campaign at the registry, whose review costs again.
    if (kind === 'local') await changeCampaign(t.tx, t.companyId, campaignId, { paid_at: null });
    await writeStep(t.tx, {
      company_id: t.companyId,
      campaign_id: campaignId,
      what: 'expired',
      kind,
      by_name: 'Carrier',
      at: t.now,
    });
    const gone = (await campaignNumbers(t.tx, t.companyId, [campaignId]))
      .filter((n) => n.kind === kind)
      .map((n) => n.number_id);
    await dropNumbers(t.tx, t.companyId, campaignId, gone);
    await sayChanged(t, row, { because: 'carrier', gone });
  });
}
