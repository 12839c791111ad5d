import type {
  Rejection,
  Verification,
  VerificationDetail,
} from '#contract/compliance/registration/schemas';
import { isLowVolume, type RegistrationKind } from '#contract/compliance/registration/lists';
import type { TxCtx } from '../../../platform/context.ts';
import { firstOf, mustBe } from '../../../platform/must-be.ts';
import { brandOf, campaignOf } from './documents.ts';
import { registrationProviderFor } from './registration-provider.ts';
import { feesOf, numberStatus, sendRatesOf } from './rules.ts';
import {
  brandsByIds,
  historyOf,
  reviewsOf,
  type BrandRow,
  type CampaignRow,
  type ReviewRow,
} from './store.ts';
import { campaignNumbers, type CampaignNumberRow } from './store-numbers.ts';

/** Registrations as the API lists them. */
export async function presentVerifications(
  ctx: TxCtx,
  rows: readonly CampaignRow[],
): Promise<Verification[]> {
  const ids = rows.map((r) => r.id);
  const brands = await brandsByIds(
    ctx.tx,
    ctx.companyId,
    rows.map((r) => r.brand_id),
  );
  const [reviews, numbers] = [
    await reviewsOf(ctx.tx, ctx.companyId, ids),
    await campaignNumbers(ctx.tx, ctx.companyId, ids),
  ];
  const presented = [];
  for (const r of rows) {
    const brand = mustBe(brands.get(r.brand_id), 'brand of the registration');
    presented.push(
      presentVerification(
        ctx,
        r,
        brand,
        reviews.filter((v) => v.campaign_id === r.id),
        numbers.filter((n) => n.campaign_id === r.id),
        brand.paid_at === null
          ? (await registrationProviderFor(ctx, r.id, 'local')).brandFeeCents(
              isLowVolume(campaignOf(r.details).monthly_volume),
            )
          : 0,
      ),
    );
  }
  return presented;
}
/** One registration with its review history, newest first. */
export async function presentDetail(ctx: TxCtx, row: CampaignRow): Promise<VerificationDetail> {
  const history = await historyOf(ctx.tx, ctx.companyId, row.id);
  return {
    ...firstOf(await presentVerifications(ctx, [row])),
    history: history.map((h) => ({
      id: h.id,
      at: h.at.toISOString(),
      what: h.what as 'created',
      kind: h.kind as RegistrationKind | null,
      by: h.by_name,
      rejection: h.rejection as Rejection[],
      numbers: h.numbers as string[],
    })),
  };
}
/** The kinds a registration covers: those of its numbers and reviews, `local` while it has none. */
export const kindsOf = (
  numbers: readonly { kind: RegistrationKind }[],
  reviews: readonly { kind: RegistrationKind }[] = [],
): RegistrationKind[] => {
  const kinds = new Set([...numbers.map((n) => n.kind), ...reviews.map((r) => r.kind)]);
  return kinds.size ? [...kinds].sort() : ['local'];
};

/** Objections of reviews that were rejected, need action or were suspended. */
const openRejections = (reviews: readonly ReviewRow[]): Rejection[] =>
  reviews
    .filter(
      (r) => r.status === 'rejected' || r.status === 'action_required' || r.status === 'suspended',
    )
    .flatMap((r) => r.rejection as Rejection[]);

function presentBrand(brand: BrandRow, rejections: readonly Rejection[]): Verification['brand'] {
  const details = brandOf(brand.details);
  return {
    id: brand.id,
    is_draft: brand.status === 'draft',
    status: brand.status as Verification['brand']['status'],
    ...details,
    registration_id_type: details.registration_id_type as 'DUNS' | null,
    stock_exchange: details.stock_exchange as 'NYSE' | null,
    industry: details.industry as 'legal' | null,
    address: details.address,
    contact: details.contact,
    score: brand.score,
    rejection: rejections.filter((r) => r.code.startsWith('brand.')),
  };
}

function presentCampaign(
  ctx: TxCtx,
  row: CampaignRow,
  reviews: readonly ReviewRow[],
  allNumbers: readonly CampaignNumberRow[],
): Verification['campaign'] {
  const details = campaignOf(row.details);
  const fileUrl = (fileId: number) => ctx.files.signUrl(ctx.companyId, fileId, ctx.now);
  // A user limited to some numbers sees only those.
  const numbers = allNumbers.filter((n) => !ctx.numbers || ctx.numbers.includes(n.number_id));
  return {
    id: row.id,
    brand_id: row.brand_id,
    ...details,
    optins: details.optins.map((o) => ({
      type: o.type,
      description: o.description,
      url: o.url,
      keywords: o.keywords,
      supporting_files: o.files.map((f) => ({ ...f, url: fileUrl(f.id) })),
    })),
    numbers: numbers.map((n) => ({
      id: n.number_id,
      number: n.number,
      label: n.label,
      type: n.kind,
      status: numberStatus(n.state, reviews.find((r) => r.kind === n.kind)?.status),
    })),
  };
}

function presentVerification(
  ctx: TxCtx,
  row: CampaignRow,
  brand: BrandRow,
  reviews: readonly ReviewRow[],
  allNumbers: readonly CampaignNumberRow[],
  brandCents: number,
): Verification {
  const { monthly_volume: volume, use_case: useCase } = campaignOf(row.details);
  const kinds = kindsOf(allNumbers, reviews);
  const reviewStatusOf = (kind: RegistrationKind) => reviews.find((r) => r.kind === kind)?.status;
  const statusOf = (kind: RegistrationKind) =>
    reviewStatusOf(kind) ?? (kinds.includes(kind) ? ('draft' as const) : null);
  const ratesOf = (kind: RegistrationKind) =>
    reviewStatusOf(kind) === 'approved'
      ? sendRatesOf({ kind, score: brand.score, volume, useCase })
      : null;
  const rejection = openRejections(reviews);
  return {
    id: row.id,
    brand: presentBrand(brand, rejection),
    campaign: presentCampaign(ctx, row, reviews, allNumbers),
    status: { local: statusOf('local'), toll_free: statusOf('toll_free') },
    fees: feesOf({
      kinds,
      brandPaid: brand.paid_at !== null,
      brandCents,
      campaignPaid: row.paid_at !== null,
      volume,
    }),
    rates: {
      local: ratesOf('local')?.campaign ?? null,
      toll_free: ratesOf('toll_free')?.number ?? null,
    },
    is_draft: row.is_draft,
    is_submitted: reviews.length > 0,
    rejection,
    submitted_at: row.submitted_at?.toISOString() ?? null,
    decided_at: row.decided_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
