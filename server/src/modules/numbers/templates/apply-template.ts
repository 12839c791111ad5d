import { templates as contract, type routing } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { changeNumber } from '../change-number.ts';
import { lockRoutes, applyTemplateRoutes } from '../routing-provider.ts';
import { lockNumber, numberView, updateNumberRow } from '../store.ts';
import { recordNumberEvent } from '../timeline/record-event.ts';
import { newRoutes } from './rules.ts';
import { templateView } from './store.ts';

/**
 * Copies a template's settings and routes to a number, and adds its tags. `bought`: the number
 * becomes active in this transaction, and its purchase creates the routes. Fails with 404, or 422
 * for an unknown template.
 */
export async function applyTemplate(
  ctx: TxCtx,
  numberId: number,
  templateId: number,
  { bought = false } = {},
): Promise<void> {
  const template =
    (await templateView(ctx.tx, ctx.companyId, templateId)) ??
    invalid({ template_id: 'This template doesn’t exist.' });
  if (!bought) await lockRoutes(ctx, numberId);
  await lockNumber(ctx.tx, ctx.companyId, numberId, ctx.numbers);
  const number = (await numberView(ctx.tx, ctx.companyId, numberId, ctx.numbers)) ?? notFound();
  const fax = number.category === 3;
  await changeNumber(ctx, numberId, {
    record: template.record,
    call_transcription_enabled: template.call_transcription_enabled,
    ai_eav_enabled: template.ai_eav_enabled,
    recording_announcement: template.recording_announcement as 'none',
    recording_announcement_text: template.recording_announcement_text,
    voicemail: {
      enabled: template.voicemail_enabled,
      greeting: template.voicemail_greeting,
      transcribe: template.voicemail_transcribe,
      email: template.voicemail_emails,
      sms_notify: template.voicemail_sms_notify,
    },
    tags: [...new Set([...number.tags, ...template.tags].map((tag) => tag.name))],
    ...(fax ? {} : { sms_enabled: template.sms_enabled }),
  });
  await updateNumberRow(ctx.tx, ctx.companyId, numberId, {
    template_id: templateId,
    schedule_id: template.schedule_id,
    greeting_id: template.greeting_id,
    voicemail_greeting_id: template.voicemail_greeting_id,
    updated_at: ctx.now,
  });
  await recordNumberEvent(ctx, numberId, {
    type: 'template_applied',
    summary: `Template “${template.name}” was applied`,
    before: { template_id: number.template_id },
    after: { template_id: templateId },
  });
  if (bought) return;
  await applyTemplateRoutes(ctx, numberId, templateId);
  await ctx.publish(
    contract.templateApplied,
    {
      templateId,
      name: template.name,
      numberId,
      number: number.number,
      by: ctx.actor.userId || null,
    },
    { numberId },
  );
}

/** A template's routes as input for a number, without IDs. Null: it has none, or doesn't exist. */
export async function templateRoutes(
  tx: Tx,
  companyId: number,
  templateId: number,
): Promise<routing.RouteIn[] | null> {
  const template = await templateView(tx, companyId, templateId);
  const routes = (template?.routes ?? []) as routing.RouteIn[];
  return routes.length ? newRoutes(routes) : null;
}
/** Fails with 422 if there is no such template; null or undefined passes. */
export async function requireTemplate(ctx: TxCtx, id: number | null | undefined): Promise<void> {
  if (id && !(await templateView(ctx.tx, ctx.companyId, id)))
    invalid({ template_id: 'This template doesn’t exist.' });
}
