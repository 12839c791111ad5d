import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { RegistrationReport } from '../../../ports/registration.ts';
import type { Which } from './hand-in.ts';
import { brandStatusAfter, objectionsOf } from './rules.ts';
import { sayChanged } from './say-changed.ts';
import {
  brandsByIds,
  campaignById,
  campaignNumbers,
  changeBrand,
  changeCampaign,
  changeNumbers,
  changeReview,
  dropNumbers,
  reviewsOf,
  writeStep,
  type CampaignNumberRow,
  type CampaignRow,
  type ReviewRow,
} from './store.ts';

/** Ask the carrier where a review stands and write what it says. Asked twice, the second time changes nothing. */
export async function followReview(ctx: Ctx, { campaignId, kind }: Which): Promise<void> {
  const review = (await ctx.transaction((t) => reviewsOf(t.tx, t.companyId, [campaignId]))).find(
    (r) => r.kind === kind,
  );
  if (!review?.provider_ref || review.status === 'expired') return;
  const report = await ctx.ports.carriers.registration(review.carrier).ask(review.provider_ref);
  if (report) await ctx.transaction((t) => hear(t, { campaignId, kind }, report));
}

async function hear(
  t: TxCtx,
  { campaignId, kind }: Which,
  report: RegistrationReport,
): Promise<void> {
  const row = await campaignById(t.tx, t.companyId, campaignId, true);
  const review = (await reviewsOf(t.tx, t.companyId, [campaignId])).find((r) => r.kind === kind);
  if (!row || !review || review.provider_ref !== report.ref) return;
  // What we asked to end stays so until the carrier says that it has.
  const moved =
    report.state !== review.status &&
    !(review.status === 'canceling' && report.state !== 'expired') &&
    review.status !== 'expired';
  const numbers = (await campaignNumbers(t.tx, t.companyId, [campaignId])).filter(
    (n) => n.kind === kind,
  );
  if (moved) await move(t, row, review, report);
  else await changeReview(t.tx, t.companyId, campaignId, kind, { asked_at: t.now });
  const { told, gone } = await hearNumbers(t, campaignId, numbers, report);
  if (moved || told.length || gone.length)
    await sayChanged(t, row, {
      because: 'carrier',
      numberIds: moved ? numbers.map((n) => n.number_id) : told,
      gone,
    });
}

async function move(
  t: TxCtx,
  row: CampaignRow,
  review: ReviewRow,
  report: RegistrationReport,
): Promise<void> {
  const rejection = objectionsOf(review.kind, report.objections);
  const decided = report.state !== 'in_review';
  await changeReview(t.tx, t.companyId, row.id, review.kind, {
    status: report.state,
    rejection: JSON.stringify(rejection),
    asked_at: t.now,
    ...(decided ? { decided_at: t.now } : {}),
  });
  if (decided)
    await changeCampaign(t.tx, t.companyId, row.id, { decided_at: t.now, updated_at: t.now });
  const brand = (await brandsByIds(t.tx, t.companyId, [row.brand_id])).get(row.brand_id)!;
  const status = report.state === 'expired' ? brand.status : brandStatusAfter(brand.status, report);
  if (status !== brand.status || (report.brandScore !== null && report.brandScore !== brand.score))
    await changeBrand(t.tx, t.companyId, brand.id, {
      status,
      ...(report.brandScore !== null ? { score: report.brandScore } : {}),
      updated_at: t.now,
    });
  await writeStep(t.tx, {
    company_id: t.companyId,
    campaign_id: row.id,
    what: report.state,
    kind: review.kind,
    by_name: 'Carrier',
    rejection,
    at: t.now,
  });
}

/** Numbers the carrier took, refused, or let go. */
async function hearNumbers(
  t: TxCtx,
  campaignId: number,
  numbers: readonly CampaignNumberRow[],
  report: RegistrationReport,
): Promise<{ told: number[]; gone: number[] }> {
  const said = new Map(report.numbers.map((n) => [n.number, n]));
  const gone = numbers
    .filter((n) => n.state === 'leaving' && !said.has(n.number))
    .map((n) => n.number_id);
  await dropNumbers(t.tx, t.companyId, campaignId, gone);
  const told: number[] = [];
  for (const state of ['approved', 'rejected'] as const) {
    const changed = numbers.filter(
      (n) => n.state === 'asked' && said.get(n.number)?.state === state,
    );
    for (const n of changed)
      await changeNumbers(t.tx, t.companyId, campaignId, [n.number_id], {
        state,
        reason: said.get(n.number)?.reason ?? null,
      });
    told.push(...changed.map((n) => n.number_id));
  }
  return { told, gone };
}
