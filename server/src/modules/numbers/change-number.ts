import { formatPhone, numbers as contract } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound } from '../../platform/errors.ts';
import { limitUsersToNumber } from '../companies/index.ts';
import { setValues, tagsByName } from '../fields/index.ts';
import { presentNumber } from './read-number.ts';
import { resolveSettings } from './rules.ts';
import { recordNumberChanges, recordNumberEvent } from './timeline/record-event.ts';
import {
  lockNumber,
  numberRecord,
  numberView,
  replaceTags,
  updateNumberRow,
  type NumberRecord,
  type NumberView,
} from './store.ts';

type NumberPatch = { [k in keyof contract.NumberPatch]?: contract.NumberPatch[k] | undefined };
type NumberPatchColumns = Partial<NumberRecord>;
/** Names of the changed fields, for the event, and their values by column, for the timeline. */
interface NumberChange {
  fields: string[];
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/**
 * Changes a number's own settings; what the patch omits stays. Fails with 404, or 422 per field.
 */
export async function changeNumber(
  ctx: TxCtx,
  id: number,
  patch: NumberPatch,
): Promise<contract.NumberDetail> {
  await lockNumber(ctx.tx, ctx.companyId, id, ctx.numbers);
  const before = (await numberView(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  const wanted = numberColumnsOf(patch);
  const resolved = resolveSettings(before, wanted);
  if ('errors' in resolved) invalid(resolved.errors);
  const { record, call_transcription_enabled, mms_enabled } = resolved.settings;
  const changes = changedColumns(before, {
    ...wanted,
    record,
    call_transcription_enabled,
    mms_enabled,
  });
  const change: NumberChange = {
    fields: Object.keys(changes),
    before: { ...before },
    after: { ...changes },
  };
  if (patch.eavAttributeValues !== undefined)
    await changeValues(ctx, id, patch.eavAttributeValues, change);
  if (patch.tags !== undefined) await changeTags(ctx, before, patch.tags, change);
  if (patch.user_ids !== undefined) await changeUsers(ctx, before, patch.user_ids, change);
  if (change.fields.length === 0) return presentNumber(ctx, id);
  await updateNumberRow(ctx.tx, ctx.companyId, id, { ...changes, updated_at: ctx.now });
  await audit(ctx, 'number.changed', `number:${id}`, {
    before: Object.fromEntries(
      Object.keys(changes).map((k) => [k, before[k as keyof NumberRecord]]),
    ),
    after: changes,
  });
  await recordNumberChanges(ctx, id, change.before, change.after);
  await ctx.publish(
    contract.numberChanged,
    { companyId: ctx.companyId, numberId: id, number: before.number, changed: change.fields },
    { numberId: id },
  );
  return presentNumber(ctx, id);
}

async function changeValues(
  ctx: TxCtx,
  id: number,
  values: NonNullable<NumberPatch['eavAttributeValues']>,
  change: NumberChange,
): Promise<void> {
  const set = await setValues(ctx, entityOf.number, id, values);
  if (set.length) change.fields.push('eavAttributeValues');
  for (const { field, before, after } of set) {
    change.before[`eav:${field.name}`] = before;
    change.after[`eav:${field.name}`] = after;
  }
}

async function changeTags(
  ctx: TxCtx,
  number: NumberView,
  names: NonNullable<NumberPatch['tags']>,
  change: NumberChange,
): Promise<void> {
  const tags = names.length ? await tagsByName(ctx, names) : [];
  const tagIds = tags.map((tag) => tag.id);
  if (
    sameSet(
      tagIds,
      number.tags.map((tag) => tag.id),
    )
  )
    return;
  await replaceTags(ctx.tx, ctx.companyId, number.id, tagIds);
  change.fields.push('tags');
  change.before['tags'] = number.tags.map((tag) => tag.name);
  change.after['tags'] = tags.map((tag) => tag.name);
}

/** Changes who is limited to this number. Fails with 422 if the actor may not change users. */
async function changeUsers(
  ctx: TxCtx,
  number: NumberView,
  userIds: NonNullable<NumberPatch['user_ids']>,
  change: NumberChange,
): Promise<void> {
  if (sameSet(userIds, number.user_ids)) return;
  if (ctx.may('users.edit') === 'none')
    invalid({ user_ids: 'Ask an administrator to change who can use this number.' });
  await limitUsersToNumber(ctx, number.id, userIds);
  change.fields.push('user_ids');
}

const describeRouting = (routing: { routingType: string; forwardNumber: string | null }) => {
  const to =
    routing.forwardNumber === null
      ? ''
      : ` to ${routing.forwardNumber.startsWith('+') ? formatPhone(routing.forwardNumber) : routing.forwardNumber}`;
  return `${({ standard: 'forwarded', simultaneous: 'ring at once', sequential: 'ring in order', geo: 'by area', voicemail: 'voicemail', 'in-app-calling': 'ring people in the app' } as Record<string, string>)[routing.routingType] ?? routing.routingType}${to}`;
};

/** Stores the summary of a number's routes that lists show. Called when routes are saved. */
export async function setRoutingSummary(
  ctx: TxCtx,
  id: number,
  routing: { routingType: string; forwardNumber: string | null },
): Promise<void> {
  const before = await numberRecord(ctx.tx, ctx.companyId, id);
  await updateNumberRow(ctx.tx, ctx.companyId, id, {
    routing_type: routing.routingType,
    forward_number: routing.forwardNumber,
    updated_at: ctx.now,
  });
  if (before)
    await recordNumberEvent(ctx, id, {
      type: 'routing_changed',
      summary: `Calls: ${describeRouting(routing)}`,
      before: { routingType: before.routing_type, forwardNumber: before.forward_number },
      after: routing,
    });
}

function numberColumnsOf({
  tags: _,
  user_ids: __,
  eavAttributeValues: ___,
  voicemail,
  ...own
}: NumberPatch): NumberPatchColumns {
  const all = {
    ...own,
    voicemail_enabled: voicemail?.enabled,
    voicemail_greeting_id: voicemail?.greeting_id,
    voicemail_greeting: voicemail?.greeting === '' ? null : voicemail?.greeting,
    voicemail_transcribe: voicemail?.transcribe,
    voicemail_emails: voicemail?.email,
    voicemail_sms_notify: voicemail?.sms_notify,
    caller_id_name: own.caller_id_name === '' ? null : own.caller_id_name,
    recording_announcement_text:
      own.recording_announcement_text === '' ? null : own.recording_announcement_text,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as NumberPatchColumns;
}
const changedColumns = (before: NumberRecord, after: NumberPatchColumns): NumberPatchColumns =>
  Object.fromEntries(
    Object.entries(after).filter(
      ([key, value]) => JSON.stringify(before[key as keyof NumberRecord]) !== JSON.stringify(value),
    ),
  ) as NumberPatchColumns;
const sameSet = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((x) => b.includes(x));
