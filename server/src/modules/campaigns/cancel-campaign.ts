import { mayMove, type CampaignState } from '#contract/campaign-rules';
import type { Campaign } from '#contract/campaigns';
import type { TxCtx } from '../../platform/context.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { answerCampaign } from './present.ts';
import { sightOf } from './may-send.ts';
import { campaignById } from './store.ts';
import { skipWaiting } from './store-ledger.ts';
import { finish } from './tell.ts';

/** End a campaign for good: those still waiting get nothing, what the carrier has is finished. */
export async function cancelCampaign(t: TxCtx, id: number): Promise<{ data: Campaign }> {
  const c = (await campaignById(t.tx, t.companyId, id, sightOf(t), true)) ?? missing();
  if (!mayMove('cancel', c.state as CampaignState)) refuse('campaign.not_cancelable');
  await skipWaiting(t.tx, t.companyId, c.id);
  return answerCampaign(t, await finish(t, c, 'canceled'));
}
