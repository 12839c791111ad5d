import { canTransition, resumeLimits, type CampaignState } from '#contract/campaigns/rules';
import type { Campaign } from '#contract/campaigns/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { campaignAnswer } from './present.ts';
import { queueCampaign } from './queue-campaign.ts';
import { requireSendable, visibilityOf } from './sendable.ts';
import {
  campaignById,
  updateCampaignRow,
  upsertCampaignText,
  clearedPause,
  type CampaignRow,
} from './store.ts';
import { requeueFailed } from './store-recipients.ts';
import { publishCampaign } from './campaign-events.ts';

interface ResumeOptions {
  mode: 'continue' | 'retry_failed';
  deliverAt: string | null;
  confirm: boolean;
}
const day = 86_400_000;

/**
 * Resumes a paused campaign (A12.2): everything is checked again, and only recipients that wait are
 * sent to. `not_found` when the user may not see it; fails as `continueCampaign` does.
 */
export async function resumeCampaign(
  t: TxCtx,
  id: number,
  body: {
    mode: ResumeOptions['mode'];
    deliverAt?: string | null | undefined;
    confirm?: boolean | undefined;
  },
): Promise<{ data: Campaign }> {
  const c = (await campaignById(t.tx, t.companyId, id, visibilityOf(t), true)) ?? notFound();
  return campaignAnswer(
    t,
    await continueCampaign(t, c, {
      mode: body.mode,
      deliverAt: body.deliverAt ?? null,
      confirm: body.confirm ?? false,
    }),
  );
}

/**
 * Resumes a paused campaign, now or at `deliverAt`. Fails when its state or its number doesn't
 * allow it, when it paused too long ago (`campaign.too_old`), or long enough to need a
 * confirmation.
 */
export async function continueCampaign(
  t: TxCtx,
  c: CampaignRow,
  options: ResumeOptions,
): Promise<CampaignRow> {
  if (!canTransition('resume', c.state as CampaignState)) fail('campaign.not_resumable');
  const days = c.paused_at ? (t.now.getTime() - c.paused_at.getTime()) / day : 0;
  if (days > resumeLimits.overAfterDays) fail('campaign.too_old');
  if (days > resumeLimits.confirmAfterDays && !options.confirm)
    fail('campaign.confirm_resume', { days: Math.floor(days) });
  const at = options.deliverAt ? new Date(options.deliverAt) : null;
  if (at && at <= t.now)
    invalid({ deliverAt: 'Choose a time in the future, or leave it empty to resume now.' });
  await requireSendable(t, c, null); // its own time, if past, now means now
  const reset = {
    ...clearedPause,
    resumed_at: t.now,
    should_be_sent_at: at,
    carrier_down_since: null,
    carrier_down_retries: 0,
    updated_at: t.now,
  } as const;
  if (!c.started_at)
    return queueCampaign(t, await updateCampaignRow(t.tx, t.companyId, c.id, reset), 0);
  if (options.mode === 'retry_failed') await requeueFailed(t.tx, t.companyId, c.id);
  await upsertCampaignText(t.tx, c, t.now);
  const row = await updateCampaignRow(t.tx, t.companyId, c.id, {
    ...reset,
    state: at ? 'queued' : 'sending',
    wake_at: at ?? t.now,
  });
  await publishCampaign(t, row);
  return row;
}
