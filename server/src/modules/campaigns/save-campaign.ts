import type { Body } from '#contract';
import type { Campaign } from '#contract/campaigns/schemas';
import type {
  createCampaign as created,
  patchCampaign as patched,
} from '#contract/campaigns/endpoints';
import { canTransition, editProblems, type CampaignState } from '#contract/campaigns/rules';
import { companySettingsOf } from '#contract/settings/rules';
import type { Upload } from '../../platform/routes.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { canonicalZone } from '#contract/routing/schedules/rules';
import { storeMedia, prepareMedia, type StoredMedia } from '../conversations/index.ts';
import { estimate } from './estimate.ts';
import { campaignAnswer } from './present.ts';
import { requireSendable, visibilityOf } from './sendable.ts';
import { rescheduleResume } from './sending-hours.ts';
import { queueCampaign } from './queue-campaign.ts';
import { continueCampaign } from './resume-campaign.ts';
import {
  campaignById,
  updateCampaignRow,
  insertCampaign,
  upsertCampaignText,
  clearedPause,
  type CampaignPatch,
  type CampaignRow,
} from './store.ts';
import { companyAccountOf, sendingNumbers } from './store-senders.ts';
import { groupsByIds } from './store-audience.ts';
import { publishCampaign } from './campaign-events.ts';

type CampaignBody = Body<typeof patched>;

/** Creates a campaign: a draft needs a title; `queued` sends it now or at its time. */
export const createCampaign = (ctx: Ctx, body: Body<typeof created>, files: readonly Upload[]) =>
  saveCampaign(ctx, null, body, files);
/** Changes a campaign; fields left out stay. */
export const updateCampaign = (
  ctx: Ctx,
  id: number,
  body: CampaignBody,
  files: readonly Upload[],
) => saveCampaign(ctx, id, body, files);

async function saveCampaign(
  ctx: Ctx,
  id: number | null,
  body: CampaignBody,
  files: readonly Upload[],
): Promise<{ data: Campaign }> {
  const uploads = files.filter((file) => file.field === 'media');
  // Pictures are resized before any row is locked.
  const ourNumber = await ctx.transaction(async (t) => {
    const row = await editableCampaign(t, id, false);
    const numberId = body.number_id ?? row?.number_id ?? 0;
    return (await sendingNumbers(t.tx, t.companyId, [numberId])).get(numberId)?.number ?? '';
  });
  const prepared = uploads.length ? await prepareMedia(uploads, ourNumber) : [];
  return ctx.transaction(async (t) => {
    const row = await editableCampaign(t, id, true);
    const kept = keptMedia(row, body, uploads.length > 0);
    const media = [...kept, ...(await storeMedia(t, prepared))];
    if (media.length > maxMedia) fail('message.media_too_many', { limit: maxMedia });
    const patch = await campaignPatchOf(t, row, body);
    const targetState = body.state ?? (row?.state === 'queued' ? 'queued' : 'draft');
    if (targetState === 'queued' && t.may('campaigns.send') === 'none') fail('role.forbidden');
    const isNewVersion = row !== null && requireConfirmed(row, patch, media, body);
    const saved = await storeCampaign(t, row, {
      ...patch,
      media: JSON.stringify(media),
      updated_at: t.now,
      ...(isNewVersion ? { text_version: row.text_version + 1 } : {}),
    });
    return campaignAnswer(t, await applyTargetState(t, saved, row, targetState, body));
  });
}
const maxMedia = 10;

/** The campaign, which may be edited now; null: a new one. Throws 404, or campaign.not_editable. */
async function editableCampaign(
  t: TxCtx,
  id: number | null,
  lock: boolean,
): Promise<CampaignRow | null> {
  if (id === null) return null;
  const row = (await campaignById(t.tx, t.companyId, id, visibilityOf(t), lock)) ?? notFound();
  requireEditable(row);
  return row;
}

/** The campaign's files that stay: those named, or all unless new ones are uploaded. */
function keptMedia(
  row: CampaignRow | null,
  { keep_media: keep }: CampaignBody,
  hasUploads: boolean,
): StoredMedia[] {
  const media = (row?.media ?? []) as StoredMedia[];
  if (keep) return media.filter(({ fileId }) => fileId !== null && keep.includes(fileId));
  return hasUploads ? [] : media;
}

/**
 * Whether the change makes a new version of a started campaign's text. Throws campaign.confirm_text
 * if recipients got the previous one and the change isn't confirmed.
 */
function requireConfirmed(
  row: CampaignRow,
  patch: CampaignPatch,
  media: readonly StoredMedia[],
  body: CampaignBody,
): boolean {
  const isChanged = (key: 'text' | 'unsubscribe_text') =>
    patch[key] !== undefined && patch[key] !== row[key];
  const textChanged =
    isChanged('text') ||
    isChanged('unsubscribe_text') ||
    JSON.stringify(media) !== JSON.stringify(row.media);
  if (!row.started_at || !textChanged) return false;
  const texted = row.sent_count + row.unknown_count + row.failed_count;
  if (texted > 0 && !body.confirm) fail('campaign.confirm_text', { n: texted });
  return true;
}

type SavedPatch = CampaignPatch & { updated_at: Date };
async function storeCampaign(
  t: TxCtx,
  row: CampaignRow | null,
  patch: SavedPatch,
): Promise<CampaignRow> {
  if (row) return updateCampaignRow(t.tx, t.companyId, row.id, patch);
  const { settings } = await companyAccountOf(t.tx, t.companyId);
  return insertCampaign(t.tx, {
    unsubscribe_text: companySettingsOf(settings).default_unsubscribe_text,
    ...patch,
    title: patch.title ?? '',
    company_id: t.companyId,
    user_id: t.actor.userId || null,
    user_name: t.actor.name,
    created_at: t.now,
  });
}

function requireEditable(row: CampaignRow): void {
  const state = row.state as CampaignState;
  if (!canTransition('edit', state))
    fail('campaign.not_editable', { reason: editProblems[state] ?? '' });
}

/** The columns of the fields given, each checked. Throws 422 with a sentence per field. */
async function campaignPatchOf(
  t: TxCtx,
  row: CampaignRow | null,
  body: CampaignBody,
): Promise<CampaignPatch> {
  const patch: CampaignPatch = {};
  if (body.title !== undefined) {
    if (!body.title.trim()) invalid({ title: 'Enter a title for the campaign.' });
    patch.title = body.title;
  }
  if (body.text !== undefined) patch.text = body.text;
  if (body.unsubscribe_text !== undefined) patch.unsubscribe_text = body.unsubscribe_text;
  if (body.skip_inbox !== undefined) patch.skip_inbox = body.skip_inbox;
  if (body.should_be_sent_at !== undefined)
    patch.should_be_sent_at = body.should_be_sent_at ? new Date(body.should_be_sent_at) : null;
  if (body.resume_next_day !== undefined) patch.resume_next_day = body.resume_next_day;
  if (body.quiet_hours !== undefined) patch.quiet_hours = JSON.stringify(body.quiet_hours);
  // Empty: the company's. An unknown one is rejected, because it would send at an unintended hour.
  if (body.timezone !== undefined)
    patch.timezone = body.timezone.trim()
      ? (canonicalZone(body.timezone.trim()) ??
        invalid({ timezone: 'Choose a time zone from the list.' }))
      : null;
  if (body.groups !== undefined) {
    const found = await groupsByIds(t, body.groups);
    if (body.groups.some((g) => !found.has(g)))
      invalid({ groups: 'This group no longer exists. Choose another.' });
    if (row?.started_at && body.groups[0] !== row.group_ids[0])
      invalid({
        groups:
          'The recipients can’t be changed after a campaign has started. Duplicate it to send to another group.',
      });
    patch.group_ids = body.groups;
  }
  if (body.number_id !== undefined) {
    const n = body.number_id;
    if (
      n !== null &&
      (!(await sendingNumbers(t.tx, t.companyId, [n])).has(n) ||
        (t.numbers && !t.numbers.includes(n)))
    )
      invalid({ number_id: 'Choose one of your numbers.' });
    patch.number_id = n;
  }
  return patch;
}

/** Moves a saved campaign to the requested state. */
async function applyTargetState(
  t: TxCtx,
  c: CampaignRow,
  before: CampaignRow | null,
  wanted: 'draft' | 'queued',
  body: CampaignBody,
): Promise<CampaignRow> {
  if (before?.started_at) {
    // It has started: it stays paused unless it is resumed.
    await requireSendable(t, c, null);
    await upsertCampaignText(t.tx, c, t.now);
    if (body.state === 'queued')
      return continueCampaign(t, c, {
        mode: 'continue',
        deliverAt: body.should_be_sent_at ?? null,
        confirm: body.confirm ?? false,
      });
    const row = await rescheduleResume(t, c);
    await publishCampaign(t, row);
    return row;
  }
  const counted = await estimate(t, c);
  const row = await updateCampaignRow(t.tx, t.companyId, c.id, {
    preview_count: counted.recipients,
    preview_credits: counted.credits,
    ...(wanted === 'draft'
      ? {
          state: 'draft',
          wake_at: null,
          approval: 'none',
          asked_by: null,
          asked_by_name: null,
          ...clearedPause,
        }
      : {}),
  });
  if (wanted === 'draft') {
    await publishCampaign(t, row);
    return row;
  }
  await requireSendable(
    t,
    row,
    body.should_be_sent_at !== undefined || before?.state !== 'queued'
      ? row.should_be_sent_at
      : null,
  );
  return queueCampaign(t, row, counted.recipients);
}
