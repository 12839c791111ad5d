import { canPause, type CampaignState } from '#contract/campaigns/rules';
import { isFeatureOn } from '#contract/numbers/features/rules';
import type { Campaign } from '#contract/campaigns/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { campaignAnswer } from './present.ts';
import { visibilityOf } from './sendable.ts';
import { companyRow } from '../companies/index.ts';
import { campaignById, campaignsUnderWay } from './store.ts';
import { pauseFor } from './campaign-events.ts';

/**
 * Stops claiming at once; a campaign that waits for its hours no longer resumes on its own. Claims
 * lock the campaign's row, so none follows this commit.
 */
export async function pauseCampaign(t: TxCtx, id: number): Promise<{ data: Campaign }> {
  const c = (await campaignById(t.tx, t.companyId, id, visibilityOf(t), true)) ?? notFound();
  if (!canPause({ state: c.state as CampaignState, auto_resume_at: c.auto_resume_at }))
    fail('campaign.not_pausable');
  return campaignAnswer(t, await pauseFor(t, c, 'by_hand'));
}

/**
 * The company was parked or deactivated: pauses what is being sent or will be. A person resumes it,
 * so that no text goes out by surprise when the company is active again. Late is harmless: an active
 * company's campaigns stay.
 */
export async function pauseForInactiveCompany(t: TxCtx): Promise<void> {
  if ((await companyRow(t.tx, t.companyId))?.status === 0) return;
  await pauseAll(t, 'company_inactive');
}

/** The same when the company is suspended because it hasn't paid. */
export async function pauseForSuspension(t: TxCtx): Promise<void> {
  if ((await companyRow(t.tx, t.companyId))?.suspended_at) await pauseAll(t, 'company_suspended');
}

/** The same when the company, or its organization, turns off campaigns or texting. */
export async function pauseWithoutFeature(t: TxCtx): Promise<void> {
  const settings = (await companyRow(t.tx, t.companyId))?.settings;
  if (isFeatureOn(settings, 'campaigns') && isFeatureOn(settings, 'sms')) return;
  await pauseAll(t, 'feature_off');
}

async function pauseAll(
  t: TxCtx,
  reason: 'company_inactive' | 'company_suspended' | 'feature_off',
): Promise<void> {
  for (const id of await campaignsUnderWay(t.tx, t.companyId)) {
    const c = await campaignById(t.tx, t.companyId, id, null, true);
    if (c && canPause({ state: c.state as CampaignState, auto_resume_at: c.auto_resume_at }))
      await pauseFor(t, c, reason);
  }
}
