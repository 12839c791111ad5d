import type { Body } from '#contract';
import type {
  createSmsCampaign,
  updateSmsCampaign,
} from '#contract/compliance/registration/endpoints';
import { missingBrandFields, missingCampaignFields } from '#contract/compliance/registration/rules';
import type { Upload } from '../../../platform/routes.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, fail } from '../../../platform/errors.ts';
import { assignNumbers } from './assign-numbers.ts';
import { storeOptInProof } from './store-opt-in-proof.ts';
import {
  brandOf,
  campaignOf,
  campaignFactsOf,
  mergeBrand,
  mergeCampaign,
  type CampaignDetails,
} from './documents.ts';
import {
  brandsByIds,
  updateBrand,
  updateCampaign,
  insertBrand,
  type BrandRow,
  type CampaignRow,
} from './store.ts';
import { campaignNumbers, removeNumbers } from './store-numbers.ts';

type DraftBody = Body<typeof createSmsCampaign> & Body<typeof updateSmsCampaign>;

/**
 * The brand of a registration: an existing one by id, or its own. Fails with a field error for an
 * unknown ID.
 */
export async function brandFor(ctx: TxCtx, body: DraftBody): Promise<BrandRow> {
  if (body.brand_id)
    return (
      (await brandsByIds(ctx.tx, ctx.companyId, [body.brand_id])).get(body.brand_id) ??
      invalid({ brand_id: 'This brand doesn’t exist.' })
    );
  return insertBrand(ctx.tx, {
    company_id: ctx.companyId,
    details: '{}',
    created_at: ctx.now,
    updated_at: ctx.now,
  });
}

/**
 * Merges input into the stored registration. Unless it is a draft, everything required for
 * submission must be present. `registration.locked` for what the carrier no longer lets us change.
 */
export async function saveDraft(
  ctx: TxCtx,
  row: CampaignRow,
  body: DraftBody,
  files: readonly Upload[],
): Promise<CampaignRow> {
  const brand =
    (await brandsByIds(ctx.tx, ctx.companyId, [body.brand_id ?? row.brand_id])).get(
      body.brand_id ?? row.brand_id,
    ) ?? invalid({ brand_id: 'This brand doesn’t exist.' });
  const brandFacts = mergeBrand(brandOf(brand.details), body.brand ?? {});
  const details = await storeOptInProof(
    ctx,
    mergeCampaign(campaignOf(row.details), body.campaign ?? {}),
    files,
  );
  const isDraft = body.is_draft ?? false;
  if (!isDraft) requireComplete(brandFacts, details);
  const removedFileIds = filesOf(campaignOf(row.details)).filter(
    (id) => !filesOf(details).includes(id),
  );
  for (const id of removedFileIds) await ctx.files.markDeleted(ctx.tx, ctx.companyId, id, ctx.now);
  if (JSON.stringify(brandFacts) !== JSON.stringify(brandOf(brand.details))) {
    // A brand that the registry knows or is reviewing can't be changed.
    if (
      brand.status !== 'draft' &&
      brand.status !== 'rejected' &&
      brand.status !== 'action_required'
    )
      fail('registration.locked');
    await updateBrand(ctx.tx, ctx.companyId, brand.id, {
      details: JSON.stringify(brandFacts),
      updated_at: ctx.now,
    });
  }
  const after = await updateCampaign(ctx.tx, ctx.companyId, row.id, {
    brand_id: brand.id,
    details: JSON.stringify(details),
    is_draft: isDraft,
    updated_at: ctx.now,
  });
  if (body.campaign?.numbers) await replaceNumbers(ctx, after, body.campaign.numbers);
  return after;
}
const filesOf = (c: CampaignDetails): number[] => c.optins.flatMap((o) => o.files.map((f) => f.id));

/** Rejects an incomplete registration, with one error per missing field. */
export function requireComplete(
  brand: Parameters<typeof missingBrandFields>[0],
  campaign: CampaignDetails,
): void {
  const prefixed = (section: string, gaps: Record<string, string>) =>
    Object.entries(gaps).map(([field, text]) => [`${section}.${field}`, text] as const);
  const gaps = [
    ...prefixed('brand', missingBrandFields(brand)),
    ...prefixed('campaign', missingCampaignFields(campaignFactsOf(campaign))),
  ];
  if (gaps.length) invalid(Object.fromEntries(gaps));
}

async function replaceNumbers(ctx: TxCtx, row: CampaignRow, ids: readonly number[]): Promise<void> {
  const before = await campaignNumbers(ctx.tx, ctx.companyId, [row.id]);
  const removed = before.filter(
    (n) => !ids.includes(n.number_id) && (!ctx.numbers || ctx.numbers.includes(n.number_id)),
  );
  // Approved numbers are known to the carrier: only remove-numbers takes them out.
  if (removed.some((n) => n.state === 'approved')) fail('registration.locked');
  await removeNumbers(
    ctx.tx,
    ctx.companyId,
    row.id,
    removed.map((n) => n.number_id),
  );
  await assignNumbers(ctx, row, ids, 'chosen');
}
