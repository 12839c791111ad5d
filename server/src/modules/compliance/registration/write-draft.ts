import type { Body } from '#contract';
import type { createSmsCampaign, updateSmsCampaign } from '#contract/registration';
import { missingOfBrand, missingOfCampaign } from '#contract/registration-rules';
import type { Upload } from '../../../platform/answer.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, refuse } from '../../../platform/refuse.ts';
import { chooseNumbers } from './choose-numbers.ts';
import { keepProof } from './keep-proof.ts';
import {
  brandOf,
  campaignOf,
  factsOf,
  mergeBrand,
  mergeCampaign,
  type CampaignDetails,
} from './papers.ts';
import {
  brandsByIds,
  campaignNumbers,
  changeBrand,
  changeCampaign,
  dropNumbers,
  insertBrand,
  type BrandRow,
  type CampaignRow,
} from './store.ts';

type Said = Body<typeof createSmsCampaign> & Body<typeof updateSmsCampaign>;

/** The brand a registration is for: one that stands, or one of its own. */
export async function brandFor(ctx: TxCtx, said: Said): Promise<BrandRow> {
  if (said.brand_id)
    return (
      (await brandsByIds(ctx.tx, ctx.companyId, [said.brand_id])).get(said.brand_id) ??
      invalid({ brand_id: 'This brand does not exist.' })
    );
  return insertBrand(ctx.tx, {
    company_id: ctx.companyId,
    details: '{}',
    created_at: ctx.now,
    updated_at: ctx.now,
  });
}

/** Write what was said over what stands. Unless it is a draft, everything that submitting needs must be there. */
export async function writeDraft(
  ctx: TxCtx,
  row: CampaignRow,
  said: Said,
  files: readonly Upload[],
): Promise<CampaignRow> {
  const brand =
    (await brandsByIds(ctx.tx, ctx.companyId, [said.brand_id ?? row.brand_id])).get(
      said.brand_id ?? row.brand_id,
    ) ?? invalid({ brand_id: 'This brand does not exist.' });
  const brandFacts = mergeBrand(brandOf(brand.details), said.brand ?? {});
  const details = await keepProof(
    ctx,
    mergeCampaign(campaignOf(row.details), said.campaign ?? {}),
    files,
  );
  const isDraft = said.is_draft ?? false;
  if (!isDraft) mustBeComplete(brandFacts, details);
  const forget = filesOf(campaignOf(row.details)).filter((id) => !filesOf(details).includes(id));
  for (const id of forget) await ctx.files.forget(ctx.tx, ctx.companyId, id, ctx.now);
  if (JSON.stringify(brandFacts) !== JSON.stringify(brandOf(brand.details))) {
    // A brand that the registry knows, or is looking at, does not change under it.
    if (
      brand.status !== 'draft' &&
      brand.status !== 'rejected' &&
      brand.status !== 'action_required'
    )
      refuse('registration.locked');
    await changeBrand(ctx.tx, ctx.companyId, brand.id, {
      details: JSON.stringify(brandFacts),
      updated_at: ctx.now,
    });
  }
  const after = await changeCampaign(ctx.tx, ctx.companyId, row.id, {
    brand_id: brand.id,
    details: JSON.stringify(details),
    is_draft: isDraft,
    updated_at: ctx.now,
  });
  if (said.campaign?.numbers) await replaceNumbers(ctx, after, said.campaign.numbers);
  return after;
}
const filesOf = (c: CampaignDetails): number[] => c.optins.flatMap((o) => o.files.map((f) => f.id));

/** Every gap stands at its field. */
export function mustBeComplete(
  brand: Parameters<typeof missingOfBrand>[0],
  campaign: CampaignDetails,
): void {
  const under = (room: string, gaps: Record<string, string>) =>
    Object.entries(gaps).map(([field, text]) => [`${room}.${field}`, text] as const);
  const gaps = [
    ...under('brand', missingOfBrand(brand)),
    ...under('campaign', missingOfCampaign(factsOf(campaign))),
  ];
  if (gaps.length) invalid(Object.fromEntries(gaps));
}

async function replaceNumbers(ctx: TxCtx, row: CampaignRow, ids: readonly number[]): Promise<void> {
  const before = await campaignNumbers(ctx.tx, ctx.companyId, [row.id]);
  const gone = before.filter(
    (n) => !ids.includes(n.number_id) && (!ctx.numbers || ctx.numbers.includes(n.number_id)),
  );
  // Approved ones are with the carrier: they leave by remove-numbers.
  if (gone.some((n) => n.state === 'approved')) refuse('registration.locked');
  await dropNumbers(
    ctx.tx,
    ctx.companyId,
    row.id,
    gone.map((n) => n.number_id),
  );
  await chooseNumbers(ctx, row, ids, 'chosen');
}
