import { campaignPaused, campaignsUpdated, campaignFinished } from '#contract/campaigns/events';
import type { CampaignState, PausedReason } from '#contract/campaigns/rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { countsOf } from './present.ts';
import { campaignsByIds, updateCampaignRow, clearedPause, type CampaignRow } from './store.ts';
import { databaseNow } from './store-clock.ts';
import { publishJob, syncInboxJob } from './job-kinds.ts';

const audienceOf = (c: CampaignRow) => (c.number_id ? { numberId: c.number_id } : {});

const publishIntervalMs = 1000;
const publishNow = (t: TxCtx, c: CampaignRow): Promise<void> =>
  t.publish(
    campaignsUpdated,
    {
      id: c.id,
      state: c.state as CampaignState,
      counts: countsOf(c),
      paused_reason: c.paused_reason as PausedReason | null,
      deleted: c.deleted_at !== null,
    },
    audienceOf(c),
  );

/**
 * Publishes a campaign's state: now or, if it was published less than a second ago (A27), by a job
 * when the second is over, with the state at that time.
 */
export async function publishCampaign(t: TxCtx, c: CampaignRow): Promise<void> {
  const now = await databaseNow(t.tx);
  const dueAt =
    c.published_at === null ? now.getTime() : c.published_at.getTime() + publishIntervalMs;
  if (dueAt <= now.getTime())
    return publishNow(t, await updateCampaignRow(t.tx, t.companyId, c.id, { published_at: now }));
  await updateCampaignRow(t.tx, t.companyId, c.id, { publish_due: new Date(dueAt) });
  await t.enqueue(
    publishJob,
    { campaignId: c.id },
    { key: `tell-campaign:${t.companyId}:${c.id}`, delayMs: dueAt - now.getTime() },
  );
}

/**
 * Publishes a changed campaign; queued at most once a second, here or by the trigger on recipients.
 */
export async function publishDueCampaign(ctx: Ctx, job: { campaignId: number }): Promise<void> {
  await ctx.transaction(async (t) => {
    // Also if it was deleted meanwhile, which the event reports.
    const [c] = await campaignsByIds(t.tx, t.companyId, [job.campaignId]);
    if (c)
      await publishNow(
        t,
        await updateCampaignRow(t.tx, t.companyId, c.id, {
          published_at: await databaseNow(t.tx),
          publish_due: null,
        }),
      );
  });
}

/** Queues adding submitted texts to the inbox; `at`: not before. */
export const scheduleInboxSync = (t: TxCtx, campaignId: number, at?: Date) =>
  t.enqueue(
    syncInboxJob,
    { campaignId },
    { key: `file-campaign:${t.companyId}:${campaignId}`, ...(at ? { runAt: at } : {}) },
  );

/**
 * Pauses a campaign; `by_hand` names the acting person. `autoResumeAt`: when it resumes on its own;
 * null: when someone resumes it.
 */
export async function pauseFor(
  t: TxCtx,
  c: CampaignRow,
  reason: PausedReason,
  autoResumeAt: Date | null = null,
): Promise<CampaignRow> {
  const by = reason === 'by_hand' ? t.actor : null;
  const row = await updateCampaignRow(t.tx, t.companyId, c.id, {
    state: 'paused',
    paused_reason: reason,
    paused_at: t.now,
    paused_by: by?.userId || null,
    paused_by_name: by?.userId ? by.name : null,
    auto_resume_at: autoResumeAt,
    wake_at: autoResumeAt,
    carrier_down_since: null,
    carrier_down_retries: 0,
    updated_at: t.now,
  });
  await publishCampaign(t, row);
  await scheduleInboxSync(t, c.id);
  await t.publish(campaignPaused, {
    campaignId: c.id,
    title: c.title,
    numberId: c.number_id,
    reason,
    byUserId: by?.userId || null,
    autoResumeAt: autoResumeAt?.toISOString() ?? null,
    at: t.now.toISOString(),
  });
  return row;
}

/** Ends a campaign. `failedReason`: a sentence for people. */
export async function finishCampaign(
  t: TxCtx,
  c: CampaignRow,
  state: 'sent' | 'canceled' | 'failed',
  failedReason: string | null = null,
): Promise<CampaignRow> {
  const row = await updateCampaignRow(t.tx, t.companyId, c.id, {
    state,
    finished_at: t.now,
    failed_reason: failedReason,
    wake_at: null,
    ...clearedPause,
    updated_at: t.now,
  });
  await publishCampaign(t, row);
  await scheduleInboxSync(t, c.id);
  await t.publish(campaignFinished, {
    campaignId: c.id,
    title: c.title,
    numberId: c.number_id,
    state,
    counts: countsOf(row),
    at: t.now.toISOString(),
  });
  return row;
}
