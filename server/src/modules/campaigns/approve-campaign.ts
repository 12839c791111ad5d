import type { Campaign } from '#contract/campaigns/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { campaignAnswer } from './present.ts';
import { queueCampaign } from './queue-campaign.ts';
import { requireSendable, visibilityOf } from './sendable.ts';
import { campaignById } from './store.ts';

/**
 * Approves a campaign (setting `campaign_approval_required`). If its time has passed, it is sent
 * now. `campaign.not_approvable` unless it waits for approval.
 */
export async function approveCampaign(t: TxCtx, id: number): Promise<{ data: Campaign }> {
  const c = (await campaignById(t.tx, t.companyId, id, visibilityOf(t), true)) ?? notFound();
  if (c.state !== 'pending' || c.approval !== 'asked') fail('campaign.not_approvable');
  await requireSendable(t, c, null);
  const past = c.should_be_sent_at !== null && c.should_be_sent_at <= t.now;
  return campaignAnswer(
    t,
    await queueCampaign(t, past ? { ...c, should_be_sent_at: null } : c, c.preview_count, true),
  );
}
