import { numbers as contract } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, missing } from '../../platform/refuse.ts';
import { limitPeopleToNumber } from '../companies/index.ts';
import { tagsNamed } from '../fields/index.ts';
import { presentNumber } from './read-number.ts';
import { settle } from './rules.ts';
import { lockNumber, numberView, replaceTags, updateNumberRow, type NumberRecord } from './store.ts';

type Patch = { [k in keyof contract.NumberPatch]?: contract.NumberPatch[k] | undefined };
type Columns = Partial<NumberRecord>;

/** Change a number's own settings; what the patch leaves out stays. Refusals stand at their fields. */
export async function changeNumber(ctx: TxCtx, id: number, patch: Patch): Promise<contract.NumberDetail> {
  await lockNumber(ctx.tx, ctx.companyId, id, ctx.numbers);
  const before = (await numberView(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? missing();
  const wanted = columnsOf(patch);
  const settled = settle(before, wanted);
  if ('errors' in settled) invalid(settled.errors);
  const { record, call_transcription_enabled, mms_enabled } = settled.settings;
  const changes = changed(before, { ...wanted, record, call_transcription_enabled, mms_enabled });
  const fields = Object.keys(changes);

  if (patch.tags !== undefined) {
    const tags = patch.tags.length ? await tagsNamed(ctx, patch.tags) : [];
    if (!sameSet(tags.map((t) => t.id), before.tags.map((t) => t.id))) {
      await replaceTags(ctx.tx, ctx.companyId, id, tags.map((t) => t.id));
      fields.push('tags');
    }
  }
  if (patch.user_ids !== undefined && !sameSet(patch.user_ids, before.user_ids)) {
    if (ctx.may('users.edit') === 'none') invalid({ user_ids: 'Ask an administrator to change who has this number.' });
    await limitPeopleToNumber(ctx, id, patch.user_ids);
    fields.push('user_ids');
  }
  if (fields.length === 0) return presentNumber(ctx, id);
  await updateNumberRow(ctx.tx, ctx.companyId, id, { ...changes, updated_at: ctx.now });
  await audit(ctx, 'number.changed', `number:${id}`, { before: Object.fromEntries(Object.keys(changes).map((k) => [k, before[k as keyof NumberRecord]])), after: changes });
  await ctx.say(contract.numberChanged, { companyId: ctx.companyId, numberId: id, number: before.number, changed: fields }, { numberId: id });
  return presentNumber(ctx, id);
}

/** What routing knows in short, for the lists. */
export async function setRoutingInShort(ctx: TxCtx, id: number, routing: { routingType: string; forwardNumber: string | null }): Promise<void> {
  await updateNumberRow(ctx.tx, ctx.companyId, id, { routing_type: routing.routingType, forward_number: routing.forwardNumber, updated_at: ctx.now });
}

function columnsOf({ tags: _, user_ids: __, voicemail, ...own }: Patch): Columns {
  const all = {
    ...own,
    voicemail_enabled: voicemail?.enabled, voicemail_greeting: voicemail?.greeting === '' ? null : voicemail?.greeting, voicemail_transcribe: voicemail?.transcribe,
    voicemail_emails: voicemail?.email, voicemail_sms_notify: voicemail?.sms_notify,
    caller_id_name: own.caller_id_name === '' ? null : own.caller_id_name, recording_announcement_text: own.recording_announcement_text === '' ? null : own.recording_announcement_text,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Columns;
}
const changed = (before: NumberRecord, after: Columns): Columns => Object.fromEntries(Object.entries(after).filter(([key, value]) => JSON.stringify(before[key as keyof NumberRecord]) !== JSON.stringify(value))) as Columns;
const sameSet = (a: readonly number[], b: readonly number[]) => a.length === b.length && a.every((x) => b.includes(x));
