import type { Body } from '#contract';
import type {
  Campaign,
  createCampaign as created,
  patchCampaign as patched,
} from '#contract/campaigns';
import { mayMove, whyNotEdit, type CampaignState } from '#contract/campaign-rules';
import { companySettingsOf } from '#contract/setting-rules';
import type { Upload } from '../../platform/answer.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, missing, refuse } from '../../platform/refuse.ts';
import { canonicalZone } from '#contract/schedule-rules';
import { keepMedia, readyMedia, type KeptMedia } from '../conversations/index.ts';
import { estimate } from './estimate.ts';
import { answerCampaign } from './present.ts';
import { mustBeSendable, sightOf } from './may-send.ts';
import { waitAnew } from './hours.ts';
import { queueCampaign } from './queue-campaign.ts';
import { continueCampaign } from './resume-campaign.ts';
import {
  accountOf,
  campaignById,
  changeCampaign,
  insertCampaign,
  keepText,
  notPaused,
  sendingNumbers,
  type CampaignPatch,
  type CampaignRow,
} from './store.ts';
import { groupsByIds } from './store-audience.ts';
import { sayCampaign } from './tell.ts';

type Said = Body<typeof patched>;

/** Make a campaign: a draft needs a title; `queued` sends it now or at its time. */
export const createCampaign = (ctx: Ctx, body: Body<typeof created>, files: readonly Upload[]) =>
  save(ctx, null, body, files);
/** Change a campaign. What is left out stays. */
export const updateCampaign = (ctx: Ctx, id: number, body: Said, files: readonly Upload[]) =>
  save(ctx, id, body, files);

async function save(
  ctx: Ctx,
  id: number | null,
  body: Said,
  files: readonly Upload[],
): Promise<{ data: Campaign }> {
  const uploads = files.filter((f) => f.field === 'media');
  // Pictures are made to fit before any row is held.
  const from = await ctx.transaction(async (t) => {
    const row =
      id === null ? null : ((await campaignById(t.tx, t.companyId, id, sightOf(t))) ?? missing());
    if (row) mustBeEditable(row);
    return (
      (await sendingNumbers(t.tx, t.companyId, [body.number_id ?? row?.number_id ?? 0]))
        .values()
        .next().value?.number ?? ''
    );
  });
  const ready = uploads.length ? await readyMedia(uploads, from) : [];
  return ctx.transaction(async (t) => {
    const row =
      id === null
        ? null
        : ((await campaignById(t.tx, t.companyId, id, sightOf(t), true)) ?? missing());
    if (row) mustBeEditable(row);
    const kept = body.keep_media
      ? ((row?.media ?? []) as KeptMedia[]).filter((m) => body.keep_media!.includes(m.fileId!))
      : uploads.length
        ? []
        : ((row?.media ?? []) as KeptMedia[]);
    const media = [...kept, ...(await keepMedia(t, ready))];
    if (media.length > 10) refuse('message.media_too_many', { limit: 10 });
    const patch = await patchOf(t, row, body);
    const wanted = body.state ?? (row?.state === 'queued' ? 'queued' : 'draft');
    if (wanted === 'queued' && t.may('campaigns.send') === 'none') refuse('role.forbidden');
    const textChanged =
      row !== null &&
      ((patch.text !== undefined && patch.text !== row.text) ||
        (patch.unsubscribe_text !== undefined && patch.unsubscribe_text !== row.unsubscribe_text) ||
        JSON.stringify(media) !== JSON.stringify(row.media));
    if (row?.started_at && textChanged) {
      const got = row.sent_count + row.unknown_count + row.failed_count;
      if (got > 0 && !body.confirm) refuse('campaign.confirm_text', { n: got });
    }
    const base = {
      ...patch,
      media: JSON.stringify(media),
      updated_at: t.now,
      ...(row?.started_at && textChanged ? { text_version: row.text_version + 1 } : {}),
    };
    const saved = row
      ? await changeCampaign(t.tx, t.companyId, row.id, base)
      : await insertCampaign(t.tx, {
          unsubscribe_text: companySettingsOf((await accountOf(t.tx, t.companyId)).settings)
            .default_unsubscribe_text,
          ...base,
          title: patch.title ?? '',
          company_id: t.companyId,
          user_id: t.actor.userId || null,
          user_name: t.actor.name,
          created_at: t.now,
        });
    return answerCampaign(t, await settle(t, saved, row, wanted, body));
  });
}

function mustBeEditable(row: CampaignRow): void {
  const state = row.state as CampaignState;
  if (!mayMove('edit', state)) refuse('campaign.not_editable', { reason: whyNotEdit[state] ?? '' });
}

/** The fields said, each one looked up. */
async function patchOf(t: TxCtx, row: CampaignRow | null, body: Said): Promise<CampaignPatch> {
  const patch: CampaignPatch = {};
  if (body.title !== undefined) {
    if (!body.title.trim()) invalid({ title: 'Give the campaign a title.' });
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
      invalid({ groups: 'This group does not exist any more. Choose another.' });
    if (row?.started_at && body.groups[0] !== row.group_ids[0])
      invalid({
        groups:
          'The people of a campaign that has begun stay as they are. Duplicate it to send to another group.',
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
async function settle(
  t: TxCtx,
  c: CampaignRow,
  before: CampaignRow | null,
  wanted: 'draft' | 'queued',
  body: Said,
): Promise<CampaignRow> {
  if (before?.started_at) {
    // It has begun: it stays paused, unless it is told to go on.
    await mustBeSendable(t, c, null);
    await keepText(t.tx, c, t.now);
    if (body.state === 'queued')
      return continueCampaign(t, c, {
        mode: 'continue',
        deliverAt: body.should_be_sent_at ?? null,
        confirm: body.confirm ?? false,
      });
    const row = await waitAnew(t, c);
    await sayCampaign(t, row);
    return row;
  }
  const counted = await estimate(t, c);
  const row = await changeCampaign(t.tx, t.companyId, c.id, {
    preview_count: counted.recipients,
    preview_credits: counted.credits,
    ...(wanted === 'draft'
      ? {
          state: 'draft',
          wake_at: null,
          approval: 'none',
          asked_by: null,
          asked_by_name: null,
          ...notPaused,
        }
      : {}),
  });
  if (wanted === 'draft') {
    await sayCampaign(t, row);
    return row;
  }
  await mustBeSendable(
    t,
    row,
    body.should_be_sent_at !== undefined || before?.state !== 'queued'
      ? row.should_be_sent_at
      : null,
  );
  return queueCampaign(t, row, counted.recipients);
}
