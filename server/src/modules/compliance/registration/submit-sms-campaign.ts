import type { CheckResult, VerificationDetail } from '#contract/registration';
import { webAddress } from '#contract/registration-rules';
import { formatPhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import { missing, refuse, refuseAll } from '../../../platform/refuse.ts';
import type { PageRead } from '../../../ports/pages.ts';
import { brandOf, campaignOf, factsOf } from './papers.ts';
import { kindsOf, presentDetail } from './present.ts';
import { checksOf, toSubmit } from './rules.ts';
import { sayChanged } from './say-changed.ts';
import {
  brandsByIds,
  campaignById,
  campaignNumbers,
  changeBrand,
  changeCampaign,
  changeNumbers,
  openReview,
  registrableByIds,
  reviewsOf,
  writeStep,
  type CampaignRow,
} from './store.ts';
import { registrarFor } from './registrar-for.ts';
import { mustBeComplete } from './write-draft.ts';

/**
 * Check a registration and send it to review: website and privacy page are read between two transactions, everything else
 * is looked at again in the second. A registration that came back is sent once more; its history stays.
 */
export async function submitSmsCampaign(
  ctx: Ctx,
  id: number,
  checksOnly: boolean,
): Promise<{ data: VerificationDetail; checks: CheckResult[] }> {
  const { brand, campaign } = await ctx.transaction((t) =>
    papers(t, (async () => (await campaignById(t.tx, t.companyId, id)) ?? missing())()),
  );
  const [site, privacy] = await Promise.all([
    look(ctx, brand.website),
    look(ctx, campaign.privacy_url),
  ]);
  return ctx.transaction(async (t) => {
    const row = (await campaignById(t.tx, t.companyId, id, !checksOnly)) ?? missing();
    const now = await papers(t, Promise.resolve(row));
    const numbers = await campaignNumbers(t.tx, t.companyId, [id]);
    const facts = (
      await registrableByIds(
        t.tx,
        t.companyId,
        numbers.map((n) => n.number_id),
      )
    ).map((n) => ({ ...n, number: formatPhone(n.number) }));
    const checks = checksOf({
      brand: now.brand,
      campaign: factsOf(now.campaign),
      numbers: facts,
      site,
      privacy,
    });
    if (checksOnly) return { data: await presentDetail(t, row), checks };
    const reviews = await reviewsOf(t.tx, t.companyId, [id]);
    const kinds = toSubmit(kindsOf(numbers, reviews), reviews);
    if (!kinds.length) refuse('registration.locked');
    mustBeComplete(now.brand, now.campaign);
    const failed = checks.filter((c) => !c.ok);
    if (failed.length)
      refuseAll(
        'registration.checks_failed',
        failed.map((c) => ({
          code: `check.${c.code}`,
          title: `${c.title}: no.`,
          detail: c.fix ?? '',
          fix: c.fix ?? '',
          field: c.field,
        })),
      );
    const after = await changeCampaign(t.tx, t.companyId, id, {
      is_draft: false,
      submitted_at: t.now,
      decided_at: null,
      updated_at: t.now,
      ...(kinds.includes('local') ? { paid_at: row.paid_at ?? t.now } : {}),
    });
    const before = now.row;
    await changeBrand(t.tx, t.companyId, before.id, {
      ...(before.status === 'approved' ? {} : { status: 'submitted' }),
      ...(kinds.includes('local') ? { paid_at: before.paid_at ?? t.now } : {}),
      updated_at: t.now,
    });
    const asked = numbers.filter((n) => kinds.includes(n.kind)).map((n) => n.number_id);
    await changeNumbers(t.tx, t.companyId, id, asked, { state: 'asked', reason: null });
    for (const kind of kinds) {
      await openReview(t.tx, {
        company_id: t.companyId,
        campaign_id: id,
        kind,
        carrier: (await registrarFor(t, id, kind)).name,
        submitted_at: t.now,
      });
      await writeStep(t.tx, {
        company_id: t.companyId,
        campaign_id: id,
        what: 'submitted',
        kind,
        by_name: t.actor.name,
        at: t.now,
      });
      await t.enqueue(
        'registration.handIn',
        { campaignId: id, kind },
        { queue: `registration:${t.companyId}:${id}` },
      );
    }
    await audit(t, 'sms_verification.submitted', `smsVerification:${id}`, { after: { kinds } });
    await sayChanged(t, after, { numberIds: asked });
    return { data: await presentDetail(t, after), checks };
  });
}

async function papers(t: TxCtx, found: Promise<CampaignRow>) {
  const row = await found;
  const brand =
    (await brandsByIds(t.tx, t.companyId, [row.brand_id])).get(row.brand_id) ?? missing();
  return { brand: brandOf(brand.details), campaign: campaignOf(row.details), row: brand };
}
async function look(ctx: Ctx, address: string): Promise<PageRead> {
  const url = webAddress(address);
  return url ? ctx.ports.pages.read(url) : { ok: false, why: 'unreachable', simulated: false };
}
