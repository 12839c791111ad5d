import type { Body } from '#contract';
import type { Campaign } from '#contract/campaigns/schemas';
import type {
  createCampaign as created,
  patchCampaign as patched,
} from '#contract/campaigns/endpoints';
import { canTransition, editProblems, type CampaignState } from '#contract/campaigns/rules';
import { companySettingsOf } from '#contract/companies/rules';
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
  companyAccountOf,
  campaignById,
  updateCampaignRow,
  insertCampaign,
  upsertCampaignText,
  clearedPause,
  sendingNumbers,
  type CampaignPatch,
  type CampaignRow,
} from './store.ts';
import { groupsByIds } from './store-audience.ts';
import { publishCampaign } from './campaign-events.ts';

type CampaignBody = Body<typeof patched>;

/** Make a campaign: a draft needs a title; `queued` sends it now or at its time. */
export const createCampaign = (ctx: Ctx, body: Body<typeof created>, files: readonly Upload[]) =>
  saveCampaign(ctx, null, body, files);
/** Change a campaign. What is left out stays. */
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
  const uploads = files.filter((f) => f.field === 'media');
  // Pictures are made to fit before any row is held.
  const ourNumber = await ctx.transaction(async (t) => {
    const row =
      id === null
        ? null
        : ((await campaignById(t.tx, t.companyId, id, visibilityOf(t))) ?? notFound());
    if (row) requireEditable(row);
    return (
      (await sendingNumbers(t.tx, t.companyId, [body.number_id ?? row?.number_id ?? 0]))
        .values()
        .next().value?.number ?? ''
    );
  });
  const prepared = uploads.length ? await prepareMedia(uploads, ourNumber) : [];
  return ctx.transaction(async (t) => {
    const row =
      id === null
        ? null
        : ((await campaignById(t.tx, t.companyId, id, visibilityOf(t), true)) ?? notFound());
    if (row) requireEditable(row);
    const keptMedia = body.keep_media
      ? ((row?.media ?? []) as StoredMedia[]).filter((m) => body.keep_media!.includes(m.fileId!))
      : uploads.length
        ? []
        : ((row?.media ?? []) as StoredMedia[]);
    const media = [...keptMedia, ...(await storeMedia(t, prepared))];
    if (media.length > 10) fail('message.media_too_many', { limit: 10 });
    const patch = await campaignPatchOf(t, row, body);
    const targetState = body.state ?? (row?.state === 'queued' ? 'queued' : 'draft');
    if (targetState === 'queued' && t.may('campaigns.send') === 'none') fail('role.forbidden');
    const textChanged =
      row !== null &&
      ((patch.text !== undefined && patch.text !== row.text) ||
        (patch.unsubscribe_text !== undefined && patch.unsubscribe_text !== row.unsubscribe_text) ||
        JSON.stringify(media) !== JSON.stringify(row.media));
    if (row?.started_at && textChanged) {
      const got = row.sent_count + row.unknown_count + row.failed_count;
      if (got > 0 && !body.confirm) fail('campaign.confirm_text', { n: got });
    }
    const base = {
      ...patch,
      media: JSON.stringify(media),
      updated_at: t.now,
      ...(row?.started_at && textChanged ? { text_version: row.text_version + 1 } : {}),
    };
    const saved = row
      ? await updateCampaignRow(t.tx, t.companyId, row.id, base)
      : await insertCampaign(t.tx, {
          unsubscribe_text: companySettingsOf((await companyAccountOf(t.tx, t.companyId)).settings)
            .default_unsubscribe_text,
          ...base,
          title: patch.title ?? '',
          company_id: t.companyId,
          user_id: t.actor.userId || null,
          user_name: t.actor.name,
          created_at: t.now,
        });
    return campaignAnswer(t, await applyTargetState(t, saved, row, targetState, body));
  });
}

function requireEditable(row: CampaignRow): void {
  const state = row.state as CampaignState;
  if (!canTransition('edit', state))
    fail('campaign.not_editable', { reason: editProblems[state] ?? '' });
}

/** The fields said, each one looked up. */
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
  // Empty: the company's. One that nobody knows is refused instead of sending at another hour than was meant.
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

/** A saved campaign takes the state that was asked for. */
async function applyTargetState(
  t: TxCtx,
  c: CampaignRow,
  before: CampaignRow | null,
  wanted: 'draft' | 'queued',
  body: CampaignBody,
): Promise<CampaignRow> {
  if (before?.started_at) {
    // It has begun: it stays paused, unless it is told to go on.
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
