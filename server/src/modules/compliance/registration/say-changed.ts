import { numberVerificationChanged, smsVerificationChanged } from '#contract/registration';
import type { TxCtx } from '../../../platform/context.ts';
import { numberStatus } from './rules.ts';
import { brandsByIds, campaignNumbers, reviewsOf, type CampaignRow } from './store.ts';
import { kindsOf } from './present.ts';

/** Say where a registration stands, and each of `numberIds` with it (`gone`: no longer part of it). */
export async function sayChanged(
  ctx: TxCtx,
  row: CampaignRow,
  about: { because?: string; numberIds?: readonly number[]; gone?: readonly number[] } = {},
): Promise<void> {
  const [reviews, numbers] = [
    await reviewsOf(ctx.tx, ctx.companyId, [row.id]),
    await campaignNumbers(ctx.tx, ctx.companyId, [row.id]),
  ];
  const brand = (await brandsByIds(ctx.tx, ctx.companyId, [row.brand_id])).get(row.brand_id)!;
  const kinds = kindsOf(numbers, reviews);
  const of = (kind: 'local' | 'toll_free') => reviews.find((r) => r.kind === kind);
  const at = ctx.now.toISOString();
  await ctx.say(smsVerificationChanged, {
    campaignId: row.id,
    status: {
      local: of('local')?.status ?? (kinds.includes('local') ? 'draft' : null),
      toll_free: of('toll_free')?.status ?? (kinds.includes('toll_free') ? 'draft' : null),
    },
    brandStatus: brand.status as 'draft',
    because: about.because ?? null,
  });
  const told = numbers.filter((n) => about.numberIds?.includes(n.number_id) && of(n.kind));
  await ctx.sayAll(numberVerificationChanged, [
    ...told.map((n) => ({
      data: {
        numberId: n.number_id,
        status: numberStatus(n.state, of(n.kind)?.status),
        campaignId: row.id,
        reason: n.reason,
        at,
      },
      about: { numberId: n.number_id },
    })),
    ...(about.gone ?? []).map((numberId) => ({
      data: { numberId, status: 'none' as const, campaignId: null, reason: null, at },
      about: { numberId },
    })),
  ]);
}
