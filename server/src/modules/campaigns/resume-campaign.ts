import { mayMove, resumeLimits, type CampaignState } from '#contract/campaign-rules';
import type { Campaign } from '#contract/campaigns';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, missing, refuse } from '../../platform/refuse.ts';
import { answerCampaign } from './present.ts';
import { queueCampaign } from './queue-campaign.ts';
import { mustBeSendable, sightOf } from './may-send.ts';
import { campaignById, changeCampaign, keepText, notPaused, type CampaignRow } from './store.ts';
import { reopenFailed } from './store-ledger.ts';
import { sayCampaign } from './tell.ts';

interface Resume {
  mode: 'continue' | 'retry_failed';
  deliverAt: string | null;
  confirm: boolean;
}
const day = 86_400_000;

/** Go on with a paused campaign (A12.2): everything is looked at anew, and only lines that wait are touched. */
export async function resumeCampaign(
  t: TxCtx,
  id: number,
  body: {
    mode: Resume['mode'];
    deliverAt?: string | null | undefined;
    confirm?: boolean | undefined;
  },
): Promise<{ data: Campaign }> {
  const c = (await campaignById(t.tx, t.companyId, id, sightOf(t), true)) ?? missing();
  return answerCampaign(
    t,
    await continueCampaign(t, c, {
      mode: body.mode,
      deliverAt: body.deliverAt ?? null,
      confirm: body.confirm ?? false,
    }),
  );
}

export async function continueCampaign(
  t: TxCtx,
  c: CampaignRow,
  how: Resume,
): Promise<CampaignRow> {
  if (!mayMove('resume', c.state as CampaignState)) refuse('campaign.not_resumable');
  const days = c.paused_at ? (t.now.getTime() - c.paused_at.getTime()) / day : 0;
  if (days > resumeLimits.overAfterDays) refuse('campaign.too_old');
  if (days > resumeLimits.confirmAfterDays && !how.confirm)
    refuse('campaign.confirm_resume', { days: Math.floor(days) });
  const at = how.deliverAt ? new Date(how.deliverAt) : null;
  if (at && at <= t.now)
    invalid({ deliverAt: 'Choose a time in the future, or leave it empty to go on now.' });
  await mustBeSendable(t, c, null); // its own time, if past, now means now
  const fresh = {
    ...notPaused,
    resumed_at: t.now,
    should_be_sent_at: at,
    away_since: null,
    away_times: 0,
    updated_at: t.now,
  } as const;
  if (!c.started_at)
    return queueCampaign(t, await changeCampaign(t.tx, t.companyId, c.id, fresh), 0);
  if (how.mode === 'retry_failed') await reopenFailed(t.tx, t.companyId, c.id);
  await keepText(t.tx, c, t.now);
  const row = await changeCampaign(t.tx, t.companyId, c.id, {
    ...fresh,
    state: at ? 'queued' : 'sending',
    wake_at: at ?? t.now,
  });
  await sayCampaign(t, row);
  return row;
}
