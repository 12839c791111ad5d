import type { CheckResult, VerificationDetail } from '#contract/compliance/registration/schemas';
import { webAddress } from '#contract/compliance/registration/rules';
import type { RegistrationKind } from '#contract/compliance/registration/lists';
import { formatPhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { notFound, fail, failAll } from '../../../platform/errors.ts';
import type { PageResult } from '../../../gateways/web-pages.ts';
import { noteRegistrationFees } from '../../billing/index.ts';
import { brandOf, campaignOf, campaignFactsOf } from './documents.ts';
import { kindsOf, presentDetail } from './present.ts';
import { kindsToSubmit } from './rules.ts';
import { runChecks, type NumberCapabilities } from './run-checks.ts';
import { publishRegistrationChanged } from './publish-registration-changed.ts';
import {
  brandsByIds,
  campaignById,
  updateBrand,
  updateCampaign,
  openReview,
  reviewsOf,
  insertHistory,
  type BrandRow,
  type CampaignRow,
} from './store.ts';
import {
  campaignNumbers,
  updateNumbers,
  registrableByIds,
  type CampaignNumberRow,
} from './store-numbers.ts';
import { registrationProviderFor } from './registration-provider.ts';
import { requireComplete } from './save-draft.ts';
import { submitJob } from './job-kinds.ts';

/**
 * Checks a registration and, unless `checksOnly`, submits it for review. Website and privacy page
 * are fetched between two transactions; everything else is read again in the second. A rejected
 * registration is submitted again and keeps its history. Throws registration.locked and
 * registration.checks_failed.
 */
export async function submitSmsCampaign(
  ctx: Ctx,
  id: number,
  checksOnly: boolean,
): Promise<{ data: VerificationDetail; checks: CheckResult[] }> {
  const { brand, campaign } = await ctx.transaction(async (t) =>
    loadDetails(t, (await campaignById(t.tx, t.companyId, id)) ?? notFound()),
  );
  const [site, privacy] = await Promise.all([
    readPage(ctx, brand.website),
    readPage(ctx, campaign.privacy_url),
  ]);
  return ctx.transaction(async (t) => {
    const row = (await campaignById(t.tx, t.companyId, id, !checksOnly)) ?? notFound();
    const current = await loadDetails(t, row);
    const numbers = await campaignNumbers(t.tx, t.companyId, [id]);
    const checks = runChecks({
      brand: current.brand,
      campaign: campaignFactsOf(current.campaign),
      numbers: await capabilitiesOf(t, numbers),
      site,
      privacy,
    });
    if (checksOnly) return { data: await presentDetail(t, row), checks };
    const reviews = await reviewsOf(t.tx, t.companyId, [id]);
    const kinds = kindsToSubmit(kindsOf(numbers, reviews), reviews);
    if (!kinds.length) fail('registration.locked');
    requireComplete(current.brand, current.campaign);
    requirePassed(checks);
    const { fees } = await presentDetail(t, row);
    const after = await markSubmitted(t, row, current.row, kinds);
    if (kinds.includes('local')) {
      const cause = `registration:${id}:${t.now.toISOString()}`;
      const fee = { company_id: t.companyId, cause, cents: fees.due_today_cents };
      await noteRegistrationFees(t.tx, [fee], t.now);
    }
    const numberIds = numbers.filter((n) => kinds.includes(n.kind)).map((n) => n.number_id);
    await updateNumbers(t.tx, t.companyId, id, numberIds, { state: 'asked', reason: null });
    for (const kind of kinds) await startReview(t, id, kind);
    await audit(t, 'sms_verification.submitted', `smsVerification:${id}`, { after: { kinds } });
    await publishRegistrationChanged(t, after, { numberIds });
    return { data: await presentDetail(t, after), checks };
  });
}

async function capabilitiesOf(
  t: TxCtx,
  numbers: readonly CampaignNumberRow[],
): Promise<NumberCapabilities[]> {
  const registrable = await registrableByIds(
    t.tx,
    t.companyId,
    numbers.map((n) => n.number_id),
  );
  return registrable.map((n) => ({ ...n, number: formatPhone(n.number) }));
}

function requirePassed(checks: readonly CheckResult[]): void {
  const failed = checks.filter((check) => !check.ok);
  if (failed.length)
    failAll(
      'registration.checks_failed',
      failed.map((check) => ({
        code: `check.${check.code}`,
        title: `${check.title}: no.`,
        detail: check.fix ?? '',
        fix: check.fix ?? '',
        field: check.field,
      })),
    );
}

/** Records the submission on the campaign and its brand; only local registrations cost fees. */
async function markSubmitted(
  t: TxCtx,
  campaign: CampaignRow,
  brand: BrandRow,
  kinds: readonly RegistrationKind[],
): Promise<CampaignRow> {
  const after = await updateCampaign(t.tx, t.companyId, campaign.id, {
    is_draft: false,
    submitted_at: t.now,
    decided_at: null,
    updated_at: t.now,
    ...(kinds.includes('local') ? { paid_at: campaign.paid_at ?? t.now } : {}),
  });
  await updateBrand(t.tx, t.companyId, brand.id, {
    ...(brand.status === 'approved' ? {} : { status: 'submitted' }),
    ...(kinds.includes('local') ? { paid_at: brand.paid_at ?? t.now } : {}),
    updated_at: t.now,
  });
  return after;
}

async function startReview(t: TxCtx, id: number, kind: RegistrationKind): Promise<void> {
  await openReview(t.tx, {
    company_id: t.companyId,
    campaign_id: id,
    kind,
    carrier: (await registrationProviderFor(t, id, kind)).name,
    submitted_at: t.now,
  });
  await insertHistory(t.tx, {
    company_id: t.companyId,
    campaign_id: id,
    what: 'submitted',
    kind,
    by_name: t.actor.name,
    at: t.now,
  });
  await t.enqueue(submitJob, { campaignId: id, kind });
}

async function loadDetails(t: TxCtx, row: CampaignRow) {
  const brand =
    (await brandsByIds(t.tx, t.companyId, [row.brand_id])).get(row.brand_id) ?? notFound();
  return { brand: brandOf(brand.details), campaign: campaignOf(row.details), row: brand };
}
async function readPage(ctx: Ctx, address: string): Promise<PageResult> {
  const url = webAddress(address);
  return url
    ? ctx.gateways.pages.fetchPage(url)
    : { ok: false, why: 'unreachable', simulated: false };
}
