import { mayPause, type CampaignState } from '#contract/campaign-rules';
import type { Campaign } from '#contract/campaigns';
import type { TxCtx } from '../../platform/context.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { answerCampaign } from './present.ts';
import { sightOf } from './may-send.ts';
import { campaignById } from './store.ts';
import { pauseFor } from './tell.ts';

/**
 * Stop claiming at once; one that waits for its hours no longer goes on by itself.
 * Whoever claims holds the campaign's row, so no claim comes after this commit.
 */
export async function pauseCampaign(t: TxCtx, id: number): Promise<{ data: Campaign }> {
  const c = (await campaignById(t.tx, t.companyId, id, sightOf(t), true)) ?? missing();
  if (!mayPause({ state: c.state as CampaignState, auto_resume_at: c.auto_resume_at }))
    refuse('campaign.not_pausable');
  return answerCampaign(t, await pauseFor(t, c, 'by_hand'));
}
