import type { Campaign } from '#contract/campaigns/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { campaignAnswer } from './present.ts';
import { visibilityOf } from './sendable.ts';
import { campaignById, insertCampaign } from './store.ts';
import { publishCampaign } from './campaign-events.ts';

/**
 * Creates a draft with the same text, files, group and number. Both share the stored files.
 * `not_found` when the user may not see it.
 */
export async function duplicateCampaign(t: TxCtx, id: number): Promise<{ data: Campaign }> {
  const c = (await campaignById(t.tx, t.companyId, id, visibilityOf(t))) ?? notFound();
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
  await publishCampaign(t, copy);
  return campaignAnswer(t, copy);
}
