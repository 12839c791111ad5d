import { templates as contract, type Answer, type Body } from '#contract';
import { firstGreetingMusic } from '#contract/routing/greetings/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { teamRows } from '../../companies/index.ts';
import { tagsByName } from '../../fields/index.ts';
import { activeUsersAmong } from '../forwarding/store.ts';
import { scheduleExists } from '../../companies/index.ts';
import { contactDestinations } from '../forwarding/contact-destinations.ts';
import { startBulkUpdate } from '../bulk/start.ts';
import { getNumberTemplate } from './list-templates.ts';
import { storedRoutes, withAiRequirements } from './rules.ts';
import {
  clearDefault,
  deleteTemplate,
  existingGreetings,
  insertTemplate,
  lockTemplate,
  isNameTaken,
  numbersOfTemplate,
  updateTemplate,
  type TemplateColumns,
} from './store.ts';

type TemplatePatch = contract.NumberTemplatePatch;

/** Adds a template. Fails with `template.exists`, or 422 per field. */
export async function createNumberTemplate(
  ctx: TxCtx,
  body: Body<typeof contract.createNumberTemplate>,
): Promise<Answer<typeof contract.createNumberTemplate>> {
  const columns = await templateColumnsOf(ctx, body);
  const settings = withAiRequirements({
    record: false,
    call_transcription_enabled: false,
    ai_eav_enabled: false,
    ...columns,
  });
  if (columns.is_default) await clearDefault(ctx.tx, ctx.companyId, 0);
  const row =
    (await insertTemplate(
      ctx.tx,
      ctx.companyId,
      { ...columns, ...settings, name: body.name },
      ctx.actor.userId || null,
      ctx.now,
    )) ?? fail('template.exists');
  await audit(ctx, 'number_template.added', `number_template:${row.id}`, {
    after: { name: body.name },
  });
  await ctx.publish(contract.numberTemplateChanged, {
    templateId: row.id,
    name: body.name,
    gone: false,
  });
  return getNumberTemplate(ctx, row.id);
}

/**
 * Changes a template; what the patch omits stays. `propagate` starts a job that applies it to every
 * number that uses it. Fails with 404, `template.exists`, or 422 per field.
 */
export async function updateNumberTemplate(
  ctx: TxCtx,
  id: number,
  { propagate, ...patch }: Body<typeof contract.updateNumberTemplate>,
): Promise<Answer<typeof contract.updateNumberTemplate>> {
  const before = (await lockTemplate(ctx.tx, ctx.companyId, id)) ?? notFound();
  const columns = await templateColumnsOf(ctx, patch);
  if (columns.name !== undefined && (await isNameTaken(ctx.tx, ctx.companyId, id, columns.name)))
    fail('template.exists');
  const { record, call_transcription_enabled, ai_eav_enabled } = withAiRequirements({
    record: before.record,
    call_transcription_enabled: before.call_transcription_enabled,
    ai_eav_enabled: before.ai_eav_enabled,
    ...columns,
  });
  if (columns.is_default) await clearDefault(ctx.tx, ctx.companyId, id);
  await updateTemplate(ctx.tx, ctx.companyId, id, {
    ...columns,
    record,
    call_transcription_enabled,
    ai_eav_enabled,
    updated_at: ctx.now,
  });
  const name = columns.name ?? before.name;
  await audit(ctx, 'number_template.changed', `number_template:${id}`, {
    before: { name: before.name },
    after: { name, changed: Object.keys(columns), propagate },
  });
  await ctx.publish(contract.numberTemplateChanged, { templateId: id, name, gone: false });
  const numbers = propagate ? await numbersOfTemplate(ctx.tx, ctx.companyId, id) : [];
  const batch = numbers.length
    ? {
        batchId: await startBulkUpdate(ctx, numbers, { template_id: id }),
        status: 'queued' as const,
        total: numbers.length,
      }
    : null;
  return { data: { ...(await getNumberTemplate(ctx, id)).data, batch } };
}

/** Fails with 404, or `template.in_use`. */
export async function deleteNumberTemplate(ctx: TxCtx, id: number): Promise<void> {
  const row = (await lockTemplate(ctx.tx, ctx.companyId, id)) ?? notFound();
  const numbers = await numbersOfTemplate(ctx.tx, ctx.companyId, id);
  if (numbers.length) fail('template.in_use', { n: numbers.length }, { numberIds: numbers });
  await deleteTemplate(ctx.tx, ctx.companyId, id);
  await audit(ctx, 'number_template.deleted', `number_template:${id}`, {
    before: { name: row.name },
  });
  await ctx.publish(contract.numberTemplateChanged, { templateId: id, name: row.name, gone: true });
}

/** The input as columns. Fails with 422 if something it refers to doesn't exist. */
async function templateColumnsOf(
  ctx: TxCtx,
  {
    routes,
    tags,
    voicemail,
    ...own
  }: TemplatePatch & { companyId?: unknown; company_id?: unknown },
): Promise<TemplateColumns> {
  if (routes) await requireValidRoutes(ctx, routes);
  if (own.schedule_id && !(await scheduleExists(ctx.tx, ctx.companyId, own.schedule_id)))
    invalid({ schedule_id: 'This schedule doesn’t exist.' });
  const greetings = await existingGreetings(
    ctx.tx,
    ctx.companyId,
    [own.greeting_id, voicemail?.greeting_id].filter((one) => typeof one === 'number'),
  );
  if (own.greeting_id && !greetings.has(own.greeting_id))
    invalid({ greeting_id: 'This greeting doesn’t exist.' });
  if (voicemail?.greeting_id && !greetings.has(voicemail.greeting_id))
    invalid({ 'voicemail.greeting_id': 'This greeting doesn’t exist.' });
  if (own.recording_announcement === 'custom' && !own.recording_announcement_text)
    invalid({ recording_announcement_text: 'Enter what the caller hears.' });
  const all = {
    name: own.name,
    description: own.description,
    record: own.record,
    call_transcription_enabled: own.call_transcription_enabled,
    ai_eav_enabled: own.ai_eav_enabled,
    recording_announcement: own.recording_announcement,
    recording_announcement_text:
      own.recording_announcement_text ||
      (own.recording_announcement_text === undefined ? undefined : null),
    schedule_id: own.schedule_id,
    greeting_id: own.greeting_id,
    sms_enabled: own.sms_enabled,
    is_default: own.is_default,
    routes: routes && JSON.stringify(storedRoutes(routes)),
    tag_ids: tags && (tags.length ? (await tagsByName(ctx, tags)).map((tag) => tag.id) : []),
    voicemail_enabled: voicemail?.enabled,
    voicemail_greeting_id: voicemail?.greeting_id,
    voicemail_greeting: voicemail?.greeting === '' ? null : voicemail?.greeting,
    voicemail_transcribe: voicemail?.transcribe,
    voicemail_emails: voicemail?.email,
    voicemail_sms_notify: voicemail?.sms_notify,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as TemplateColumns;
}

/**
 * Requires that the users, teams, forwarding contacts and greetings of the routes exist (422 per field).
 * Whether a route leads back to its own number is checked when the template is applied.
 */
async function requireValidRoutes(
  ctx: TxCtx,
  routes: NonNullable<TemplatePatch['routes']>,
): Promise<void> {
  const forwards = routes.flatMap((route) => route.forwards);
  const users = await activeUsersAmong(
    ctx.tx,
    ctx.companyId,
    forwards.flatMap((one) => one.user_id ?? []),
  );
  const contacts = await contactDestinations(
    ctx.tx,
    ctx.companyId,
    forwards.flatMap((one) => one.contact_id ?? []),
  );
  const teams = new Set((await teamRows(ctx.tx, ctx.companyId)).map(({ id }) => id));
  const greetings = await existingGreetings(
    ctx.tx,
    ctx.companyId,
    routes.flatMap((route) => greetingRefsOf(route).map(([, id]) => id)),
  );
  const errors: Record<string, string> = {};
  routes.forEach((route, i) => {
    for (const [field, id] of greetingRefsOf(route))
      if (!greetings.has(id)) errors[`routes.${i}.${field}`] = 'This greeting doesn’t exist.';
  });
  routes.forEach((route, i) =>
    route.forwards.forEach((forward, j) => {
      if (forward.contact_id && !contacts.has(forward.contact_id))
        errors[`routes.${i}.forwards.${j}.contact_id`] = 'This forwarding contact doesn’t exist.';
      else if (!forward.contact_id && forward.user_id && !users.has(forward.user_id))
        errors[`routes.${i}.forwards.${j}.user_id`] = 'This person isn’t in the company.';
      if (forward.team_id && !teams.has(forward.team_id))
        errors[`routes.${i}.forwards.${j}.team_id`] = 'This team doesn’t exist.';
    }),
  );
  if (Object.keys(errors).length) invalid(errors);
}

/**
 * Greetings that a route refers to, as field and ID: its voicemail greeting, and hold music from
 * the library.
 */
const greetingRefsOf = (
  route: NonNullable<TemplatePatch['routes']>[number],
): [string, number][] => [
  ...(route.voicemail_greeting_id
    ? [['voicemail_greeting_id', route.voicemail_greeting_id] as [string, number]]
    : []),
  ...(route.onhold_music_id && route.onhold_music_id >= firstGreetingMusic
    ? [['onhold_music_id', route.onhold_music_id] as [string, number]]
    : []),
];
