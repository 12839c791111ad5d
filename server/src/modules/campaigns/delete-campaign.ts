import { canTransition, type CampaignState } from '#contract/campaigns/rules';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { visibilityOf } from './sendable.ts';
import { campaignById, updateCampaignRow } from './store.ts';
import { publishCampaign } from './campaign-events.ts';

/**
 * Deletes a campaign that isn't being sent; it stays listed for people who see deleted ones.
 * `campaign.not_deletable` while it is being sent.
 */
export async function deleteCampaign(t: TxCtx, id: number): Promise<void> {
  const c = (await campaignById(t.tx, t.companyId, id, visibilityOf(t), true)) ?? notFound();
  if (!canTransition('delete', c.state as CampaignState)) fail('campaign.not_deletable');
  await publishCampaign(
    t,
    await updateCampaignRow(t.tx, t.companyId, c.id, {
      deleted_at: t.now,
      wake_at: null,
      auto_resume_at: null,
    }),
  );
}
