import { canTransition, type CampaignState } from '#contract/campaigns/rules';
import type { Campaign } from '#contract/campaigns/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { campaignAnswer } from './present.ts';
import { visibilityOf } from './sendable.ts';
import { campaignById } from './store.ts';
import { skipWaitingRecipients } from './store-recipients.ts';
import { finishCampaign } from './campaign-events.ts';

/**
 * Ends a campaign for good: recipients that still wait get nothing, submitted ones are finished.
 */
export async function cancelCampaign(t: TxCtx, id: number): Promise<{ data: Campaign }> {
  const c = (await campaignById(t.tx, t.companyId, id, visibilityOf(t), true)) ?? notFound();
  if (!canTransition('cancel', c.state as CampaignState)) fail('campaign.not_cancelable');
  await skipWaitingRecipients(t.tx, t.companyId, c.id);
  return campaignAnswer(t, await finishCampaign(t, c, 'canceled'));
}
