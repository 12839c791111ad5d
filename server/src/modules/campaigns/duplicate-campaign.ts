import type { Campaign } from '#contract/campaigns';
import type { TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import { answerCampaign } from './present.ts';
import { sightOf } from './may-send.ts';
import { campaignById, insertCampaign } from './store.ts';
import { sayCampaign } from './tell.ts';

/** A draft of its own with the same words, files, group and number. Files are kept once and named by both. */
export async function duplicateCampaign(t: TxCtx, id: number): Promise<{ data: Campaign }> {
  const c = (await campaignById(t.tx, t.companyId, id, sightOf(t))) ?? missing();
  const copy = await insertCampaign(t.tx, {
    company_id: t.companyId,
    user_id: t.actor.userId || null,
    user_name: t.actor.name,
    title: `${c.title.slice(0, 113)} (copy)`,
    text: c.text,
    unsubscribe_text: c.unsubscribe_text,
    number_id: c.number_id,
    group_ids: c.group_ids,
    media: JSON.stringify(c.media),
    skip_inbox: c.skip_inbox,
    timezone: c.timezone,
    quiet_hours: c.quiet_hours === null ? null : JSON.stringify(c.quiet_hours),
    resume_next_day: c.resume_next_day,
    preview_count: c.preview_count,
    preview_credits: c.preview_credits,
    created_at: t.now,
    updated_at: t.now,
  });
  await sayCampaign(t, copy);
  return answerCampaign(t, copy);
}
