import { mayMove, type CampaignState } from '#contract/campaign-rules';
import type { TxCtx } from '../../platform/context.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { sightOf } from './may-send.ts';
import { campaignById, changeCampaign } from './store.ts';
import { sayCampaign } from './tell.ts';

export async function deleteCampaign(t: TxCtx, id: number): Promise<void> {
  const c = (await campaignById(t.tx, t.companyId, id, sightOf(t), true)) ?? missing();
  if (!mayMove('delete', c.state as CampaignState)) refuse('campaign.not_deletable');
  await sayCampaign(
    t,
    await changeCampaign(t.tx, t.companyId, c.id, {
      deleted_at: t.now,
      wake_at: null,
      auto_resume_at: null,
    }),
  );
}
