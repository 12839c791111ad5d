import { campaignPaused, campaignsUpdated, campaignFinished } from '#contract/campaigns';
import type { CampaignState, PausedReason } from '#contract/campaign-rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { countsOf } from './present.ts';
import { campaignById, changeCampaign, notPaused, type CampaignRow } from './store.ts';
import { clockNow } from './store-clock.ts';

const about = (c: CampaignRow) => (c.number_id ? { numberId: c.number_id } : {});

/** Say how a campaign stands, now. */
export async function sayCampaign(t: TxCtx, c: CampaignRow): Promise<void> {
  await t.say(campaignsUpdated, { id: c.id, state: c.state as CampaignState, counts: countsOf(c), paused_reason: c.paused_reason as PausedReason | null, deleted: c.deleted_at !== null }, about(c));
}

/** The counts moved: said by a job that the ledger's trigger asks for at most once a second. */
export async function tellCampaign(ctx: Ctx, job: { campaignId: number }): Promise<void> {
  await ctx.transaction(async (t) => {
    const c = await campaignById(t.tx, t.companyId, job.campaignId, null, true);
    if (!c) return;
    await sayCampaign(t, await changeCampaign(t.tx, t.companyId, c.id, { told_at: await clockNow(t.tx), tell_due: null }));
  });
}

/** What was handed over takes its place in the inbox, soon. */
export const fileSoon = (t: TxCtx, campaignId: number, at?: Date) => t.enqueue('campaigns.fileTexts', { campaignId }, { key: `file-campaign:${t.companyId}:${campaignId}`, ...(at ? { runAt: at } : {}) });

/** It stops by itself, or by somebody's hand. */
export async function pauseFor(t: TxCtx, c: CampaignRow, reason: PausedReason, autoResumeAt: Date | null = null): Promise<CampaignRow> {
  const by = reason === 'by_hand' ? t.actor : null;
  const row = await changeCampaign(t.tx, t.companyId, c.id, {
    state: 'paused', paused_reason: reason, paused_at: t.now, paused_by: by?.userId || null, paused_by_name: by?.userId ? by.name : null, auto_resume_at: autoResumeAt, wake_at: autoResumeAt, away_since: null, away_times: 0, updated_at: t.now,
  });
  await sayCampaign(t, row);
  await fileSoon(t, c.id);
  await t.say(campaignPaused, { campaignId: c.id, title: c.title, numberId: c.number_id, reason, byUserId: by?.userId || null, autoResumeAt: autoResumeAt?.toISOString() ?? null, at: t.now.toISOString() });
  return row;
}

/** The last word about a campaign. */
export async function finish(t: TxCtx, c: CampaignRow, state: 'sent' | 'canceled' | 'failed', failedReason: string | null = null): Promise<CampaignRow> {
  const row = await changeCampaign(t.tx, t.companyId, c.id, { state, finished_at: t.now, failed_reason: failedReason, wake_at: null, ...notPaused, updated_at: t.now });
  await sayCampaign(t, row);
  await fileSoon(t, c.id);
  await t.say(campaignFinished, { campaignId: c.id, title: c.title, numberId: c.number_id, state, counts: countsOf(row), at: t.now.toISOString() });
  return row;
}
