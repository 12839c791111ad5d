import {
  numberVerificationChanged,
  smsVerificationChanged,
} from '#contract/compliance/registration/events';
import type { TxCtx } from '../../../platform/context.ts';
import { numberStatus } from './rules.ts';
import { brandOfCampaign, reviewsOf, type CampaignRow } from './store.ts';
import { campaignNumbers } from './store-numbers.ts';
import { kindsOf } from './present.ts';

/**
 * Publishes the status of a registration, and of each number in `numberIds` (`gone`: numbers no
 * longer part of it).
 */
export async function publishRegistrationChanged(
  ctx: TxCtx,
  row: CampaignRow,
  about: {
    reason?: string;
    numberIds?: readonly number[];
    removedNumberIds?: readonly number[];
  } = {},
): Promise<void> {
  const [reviews, numbers] = [
    await reviewsOf(ctx.tx, ctx.companyId, [row.id]),
    await campaignNumbers(ctx.tx, ctx.companyId, [row.id]),
  ];
  const brand = await brandOfCampaign(ctx.tx, row);
  const kinds = kindsOf(numbers, reviews);
  const reviewOf = (kind: 'local' | 'toll_free') => reviews.find((r) => r.kind === kind);
  const at = ctx.now.toISOString();
  await ctx.publish(smsVerificationChanged, {
    campaignId: row.id,
    status: {
      local: reviewOf('local')?.status ?? (kinds.includes('local') ? 'draft' : null),
      toll_free: reviewOf('toll_free')?.status ?? (kinds.includes('toll_free') ? 'draft' : null),
    },
    brandStatus: brand.status as 'draft',
    because: about.reason ?? null,
  });
  const changedNumbers = numbers.filter(
    (n) => about.numberIds?.includes(n.number_id) && reviewOf(n.kind),
  );
  await ctx.publishMany(numberVerificationChanged, [
    ...changedNumbers.map((n) => ({
      data: {
        numberId: n.number_id,
        status: numberStatus(n.state, reviewOf(n.kind)?.status),
        campaignId: row.id,
        reason: n.reason,
        at,
      },
      about: { numberId: n.number_id },
    })),
    ...(about.removedNumberIds ?? []).map((numberId) => ({
      data: { numberId, status: 'none' as const, campaignId: null, reason: null, at },
      about: { numberId },
    })),
  ]);
}
