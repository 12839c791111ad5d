import { canPause, type CampaignState } from '#contract/campaigns/rules';
import type { Campaign } from '#contract/campaigns/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { campaignAnswer } from './present.ts';
import { visibilityOf } from './sendable.ts';
import { campaignById } from './store.ts';
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
