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
import { firstOf } from '../../platform/must-be.ts';
import type { StoredMedia } from '../conversations/index.ts';
import { resumesNextDay, settingsOf, type QuietHours } from './rules.ts';
import { type CampaignRow } from './store.ts';
import {
  companyAccountOf,
  sendingNumbers,
  type CompanyAccount,
  type SendingNumber,
} from './store-senders.ts';
import { groupsByIds, joinedSince, audienceCondition } from './store-audience.ts';
import type { EventRow } from './store-events.ts';

const iso = (at: Date | null) => at?.toISOString() ?? null;
const personOrNull = (id: number | null, name: string | null) =>
  id ? { id, name: name ?? '' } : null;

/** The counters of a campaign's recipients. */
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

/** Campaigns as the API shows them. `detail`: with how many joined their groups since the start. */
export async function presentCampaigns(
  ctx: TxCtx,
  rows: readonly CampaignRow[],
  detail = false,
): Promise<Campaign[]> {
  if (!rows.length) return [];
  const account = await companyAccountOf(ctx.tx, ctx.companyId);
  const numberIds = rows.flatMap((row) => row.number_id ?? []);
  const numbers = await sendingNumbers(ctx.tx, ctx.companyId, numberIds);
  const groupIds = rows.flatMap((row) => row.group_ids);
  const groups = await groupsByIds(ctx, groupIds);
  const joined = new Map<number, number | null>();
  if (detail) for (const row of rows) joined.set(row.id, await joinedSinceStart(ctx, row, groups));
  return rows.map((row) => ({
    ...presentOne(ctx, row, account),
    groups: row.group_ids.flatMap((id) => groups.get(id) ?? []),
    number: presentNumber(numbers.get(row.number_id ?? 0)),
    joined_since: joined.get(row.id) ?? null,
  }));
}

/** How many joined a started campaign's group; null: it hasn't started. */
async function joinedSinceStart(
  ctx: TxCtx,
  { id, started_at, group_ids }: CampaignRow,
  groups: ReadonlyMap<number, unknown>,
): Promise<number | null> {
  const groupId = group_ids[0];
  if (!started_at || !groupId) return null;
  if (!groups.has(groupId)) return 0;
  return joinedSince(ctx.tx, ctx.companyId, id, await audienceCondition(ctx, groupId));
}

const presentNumber = (number: SendingNumber | undefined): Campaign['number'] =>
  number ? { id: number.id, number: number.number, label: number.label } : null;

const presentFiles = (ctx: TxCtx, row: CampaignRow): Campaign['media_files'] =>
  (row.media as StoredMedia[]).flatMap(({ fileId, type, bytes, name }) =>
    fileId === null
      ? []
      : { id: fileId, url: ctx.files.signUrl(ctx.companyId, fileId, ctx.now), type, bytes, name },
  );

type OwnFields = Omit<Campaign, 'groups' | 'number' | 'joined_since'>;
/** What a campaign's own row and its company say. */
function presentOne(ctx: TxCtx, row: CampaignRow, account: CompanyAccount): OwnFields {
  const state = row.state as CampaignState;
  const sendAt = iso(row.should_be_sent_at);
  const files = presentFiles(ctx, row);
  return {
    id: row.id,
    user_id: row.user_id,
    user: personOrNull(row.user_id, row.user_name),
    company_id: row.company_id,
    type: 'sms',
    title: row.title,
    text: row.text,
    unsubscribe_text: row.unsubscribe_text,
    state,
    status: statusOf(state, sendAt, ctx.now),
    should_be_sent_at: displayedSendAt(state, sendAt, ctx.now),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    deleted_at: iso(row.deleted_at),
    number_id: row.number_id,
    ...countsOf(row),
    preview_count: row.preview_count,
    preview_credits: row.preview_credits,
    started: row.started_at !== null,
    media: files.map((file) => file.url),
    media_files: files,
    dynamic_fields: tagsIn(`${row.text} ${row.unsubscribe_text}`).used,
    skip_inbox: row.skip_inbox,
    paused_reason: row.paused_reason as PausedReason | null,
    paused_at: iso(row.paused_at),
    paused_by: personOrNull(row.paused_by, row.paused_by_name),
    auto_resume_at: iso(row.auto_resume_at),
    resume_next_day: resumesNextDay(row.resume_next_day, row.text),
    started_at: iso(row.started_at),
    finished_at: iso(row.finished_at),
    failed_reason: row.failed_reason,
    timezone: row.timezone ?? account.timezone,
    quiet_hours: (row.quiet_hours as QuietHours | null) ?? settingsOf(account.settings).quietHours,
    approval: {
      state: row.approval as Campaign['approval']['state'],
      asked_by: personOrNull(row.asked_by, row.asked_by_name),
      approved_by: personOrNull(row.approved_by, row.approved_by_name),
    },
    text_version: row.text_version,
  };
}

/** One campaign as an API response. */
export const campaignAnswer = async (
  ctx: TxCtx,
  row: CampaignRow,
): Promise<{ data: Campaign }> => ({
  data: firstOf(await presentCampaigns(ctx, [row], true)), // one for each row
});

/** A recipient as the API shows it; `masked` shortens the number where details are hidden. */
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
