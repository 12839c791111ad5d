import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { RegistrationReport } from '../../../gateways/registration.ts';
import type { RegistrationKey } from './store.ts';
import { brandStatusAfter, rejectionsOf } from './rules.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import {
  brandOfCampaign,
  campaignById,
  updateBrand,
  updateCampaign,
  updateReview,
  reviewsOf,
  insertHistory,
  type CampaignRow,
  type ReviewRow,
} from './store.ts';
import {
  campaignNumbers,
  updateNumbers,
  removeNumbers,
  type CampaignNumberRow,
} from './store-numbers.ts';

/**
 * Fetches a review's status from the carrier and stores it. Running twice changes nothing the
 * second time.
 */
export async function syncReview(ctx: Ctx, { campaignId, kind }: RegistrationKey): Promise<void> {
  const review = (await ctx.transaction((t) => reviewsOf(t.tx, t.companyId, [campaignId]))).find(
    (r) => r.kind === kind,
  );
  if (!review?.provider_ref || review.status === 'expired') return;
  const report = await ctx.gateways.carriers
    .registration(review.carrier)
    .getStatus(review.provider_ref);
  if (report) await ctx.transaction((t) => applyReport(t, { campaignId, kind }, report));
}

async function applyReport(
  t: TxCtx,
  { campaignId, kind }: RegistrationKey,
  report: RegistrationReport,
): Promise<void> {
  const row = await campaignById(t.tx, t.companyId, campaignId, true);
  const review = (await reviewsOf(t.tx, t.companyId, [campaignId])).find((r) => r.kind === kind);
  if (!row || !review || review.provider_ref !== report.ref) return;
  // A review being canceled stays so until the carrier confirms the end.
  const statusChanged =
    report.state !== review.status &&
    !(review.status === 'canceling' && report.state !== 'expired') &&
    review.status !== 'expired';
  const numbers = (await campaignNumbers(t.tx, t.companyId, [campaignId])).filter(
    (n) => n.kind === kind,
  );
  if (statusChanged) await changeStatus(t, row, review, report);
  else await updateReview(t.tx, t.companyId, campaignId, kind, { checked_at: t.now });
  const { changedIds, removedIds } = await applyNumberReports(t, campaignId, numbers, report);
  if (statusChanged || changedIds.length || removedIds.length)
    await publishRegistrationChanged(t, row, {
      reason: 'carrier',
      numberIds: statusChanged ? numbers.map((n) => n.number_id) : changedIds,
      removedNumberIds: removedIds,
    });
}

async function changeStatus(
  t: TxCtx,
  row: CampaignRow,
  review: ReviewRow,
  report: RegistrationReport,
): Promise<void> {
  const rejection = rejectionsOf(review.kind, report.objections);
  const decided = report.state !== 'in_review';
  await updateReview(t.tx, t.companyId, row.id, review.kind, {
    status: report.state,
    rejection: JSON.stringify(rejection),
    checked_at: t.now,
    ...(decided ? { decided_at: t.now } : {}),
  });
  if (decided)
    await updateCampaign(t.tx, t.companyId, row.id, { decided_at: t.now, updated_at: t.now });
  const brand = await brandOfCampaign(t.tx, row);
  const status = report.state === 'expired' ? brand.status : brandStatusAfter(brand.status, report);
  if (status !== brand.status || (report.brandScore !== null && report.brandScore !== brand.score))
    await updateBrand(t.tx, t.companyId, brand.id, {
      status,
      ...(report.brandScore !== null ? { score: report.brandScore } : {}),
      updated_at: t.now,
    });
  await insertHistory(t.tx, {
    company_id: t.companyId,
    campaign_id: row.id,
    what: report.state,
    kind: review.kind,
    by_name: 'Carrier',
    rejection,
    at: t.now,
  });
}

/** Applies which numbers the carrier accepted, rejected or released. */
async function applyNumberReports(
  t: TxCtx,
  campaignId: number,
  numbers: readonly CampaignNumberRow[],
  report: RegistrationReport,
): Promise<{ changedIds: number[]; removedIds: number[] }> {
  const reportedByNumber = new Map(report.numbers.map((n) => [n.number, n]));
  const removedIds = numbers
    .filter((n) => n.state === 'leaving' && !reportedByNumber.has(n.number))
    .map((n) => n.number_id);
  await removeNumbers(t.tx, t.companyId, campaignId, removedIds);
  const changedIds: number[] = [];
  for (const state of ['approved', 'rejected'] as const) {
    const changed = numbers.filter(
      (n) => n.state === 'asked' && reportedByNumber.get(n.number)?.state === state,
    );
    for (const n of changed)
      await updateNumbers(t.tx, t.companyId, campaignId, [n.number_id], {
        state,
        reason: reportedByNumber.get(n.number)?.reason ?? null,
      });
    changedIds.push(...changed.map((n) => n.number_id));
  }
  return { changedIds, removedIds };
}
