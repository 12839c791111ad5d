import type { Campaign, CampaignEvent } from '#contract/campaigns/schemas';
import {
  displayedSendAt,
  statusOf,
  tagsIn,
  type CampaignState,
  type PausedReason,
  type RecipientState,
  type SkipReason,
} from '#contract/campaigns/rules';
import type { TxCtx } from '../../platform/context.ts';
import type { StoredMedia } from '../conversations/index.ts';
import { resumesNextDay, settingsOf, type QuietHours } from './rules.ts';
import { companyAccountOf, sendingNumbers, type CampaignRow } from './store.ts';
import { groupsByIds, joinedSince, audienceCondition } from './store-audience.ts';
import type { EventRow } from './store-events.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;
const personOrNull = (id: number | null, name: string | null) =>
  id ? { id, name: name ?? '' } : null;

export const countsOf = (c: CampaignRow) => ({
  total_count: c.total_count,
  pending_count: c.pending_count,
  sent_count: c.sent_count,
  delivered_count: c.delivered_count,
  undelivered_count: c.undelivered_count,
  failed_count: c.failed_count,
  skipped_count: c.skipped_count,
  unknown_count: c.unknown_count,
  responded_count: c.responded_count,
  unsubscriber_count: c.unsubscriber_count,
  credits_used: c.credits_used,
});

export async function presentCampaigns(
  ctx: TxCtx,
  rows: readonly CampaignRow[],
  detail = false,
): Promise<Campaign[]> {
  if (!rows.length) return [];
  const account = await companyAccountOf(ctx.tx, ctx.companyId);
  const numbers = await sendingNumbers(
    ctx.tx,
    ctx.companyId,
    rows.flatMap((r) => r.number_id ?? []),
  );
  const groups = await groupsByIds(
    ctx,
    rows.flatMap((r) => r.group_ids),
  );
  const joined = new Map<number, number>();
  if (detail)
    for (const r of rows)
      if (r.started_at && r.group_ids[0])
        joined.set(
          r.id,
          groups.has(r.group_ids[0])
            ? await joinedSince(
                ctx.tx,
                ctx.companyId,
                r.id,
                await audienceCondition(ctx, r.group_ids[0]),
              )
            : 0,
        );
  return rows.map((r) => {
    const state = r.state as CampaignState;
    const number = numbers.get(r.number_id ?? 0);
    const files = (r.media as StoredMedia[]).map((m) => ({
      id: m.fileId!,
      url: ctx.files.signUrl(ctx.companyId, m.fileId!, ctx.now),
      type: m.type,
      bytes: m.bytes,
      name: m.name,
    }));
    return {
      id: r.id,
      user_id: r.user_id,
      user: personOrNull(r.user_id, r.user_name),
      company_id: r.company_id,
      type: 'sms',
      title: r.title,
      text: r.text,
      unsubscribe_text: r.unsubscribe_text,
      state,
      status: statusOf(state, iso(r.should_be_sent_at), ctx.now),
      should_be_sent_at: displayedSendAt(state, iso(r.should_be_sent_at), ctx.now),
      created_at: r.created_at.toISOString(),
      updated_at: r.updated_at.toISOString(),
      deleted_at: iso(r.deleted_at),
      groups: r.group_ids.flatMap((g) => groups.get(g) ?? []),
      number_id: r.number_id,
      number: number ? { id: number.id, number: number.number, label: number.label } : null,
      ...countsOf(r),
      preview_count: r.preview_count,
      preview_credits: r.preview_credits,
      started: r.started_at !== null,
      media: files.map((f) => f.url),
      media_files: files,
      dynamic_fields: tagsIn(`${r.text} ${r.unsubscribe_text}`).used,
      skip_inbox: r.skip_inbox,
      paused_reason: r.paused_reason as PausedReason | null,
      paused_at: iso(r.paused_at),
      paused_by: personOrNull(r.paused_by, r.paused_by_name),
      auto_resume_at: iso(r.auto_resume_at),
      resume_next_day: resumesNextDay(r.resume_next_day, r.text),
      started_at: iso(r.started_at),
      finished_at: iso(r.finished_at),
      failed_reason: r.failed_reason,
      timezone: r.timezone ?? account.timezone,
      quiet_hours: (r.quiet_hours as QuietHours | null) ?? settingsOf(account.settings).quietHours,
      approval: {
        state: r.approval as Campaign['approval']['state'],
        asked_by: personOrNull(r.asked_by, r.asked_by_name),
        approved_by: personOrNull(r.approved_by, r.approved_by_name),
      },
      text_version: r.text_version,
      joined_since: joined.get(r.id) ?? null,
    };
  });
}
export const campaignAnswer = async (
  ctx: TxCtx,
  row: CampaignRow,
): Promise<{ data: Campaign }> => ({ data: (await presentCampaigns(ctx, [row], true))[0]! });

export const presentEvent = (r: EventRow, masked: (number: string) => string): CampaignEvent => ({
  id: r.id,
  contact: { id: r.contact_id, name: r.name ?? '', number: masked(r.to_number) },
  state: r.state as RecipientState,
  skip_reason: r.skip_reason as SkipReason | null,
  error_code: r.error_code,
  error_text: r.error_text,
  sent_at: iso(
    r.state === 'unknown' || ['handed', 'sent', 'delivered', 'undelivered'].includes(r.state)
      ? r.submitted_at
      : null,
  ),
  delivered_at: iso(r.delivered_at),
  responded_at: iso(r.responded_at),
  reply: r.reply,
  unsubscribed_at: iso(r.unsubscribed_at),
  text: r.text,
  segments: r.segments,
  credits: r.credits,
  text_version: r.text_version,
  conversation_id: r.conversation_id,
});
