import { triggers as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { groupsOfIds, labelsByIds } from '../../contacts/index.ts';
import { activeUsersAmong } from '../forwarding/store.ts';
import { lockNumber } from '../store.ts';
import { recordNumberEvent } from '../timeline/record-event.ts';
import { presentTrigger, type ReplyFile } from './present.ts';
import {
  existingFiles,
  insertTrigger,
  removeTriggers,
  triggersOf,
  updateTrigger,
  type TriggerColumns,
  type TriggerRow,
} from './store.ts';

/**
 * Removes keyword rules, then changes or adds others, found by ID or else by keyword. What the
 * input omits of an existing rule stays (A6.3). Fails with 404, or 422 per field.
 */
export async function updateTriggers(
  ctx: TxCtx,
  numberId: number,
  { remove, upsert }: Body<typeof contract.updateTriggers>,
): Promise<Answer<typeof contract.updateTriggers>> {
  const number = (await lockNumber(ctx.tx, ctx.companyId, numberId, ctx.numbers)) ?? notFound();
  if (number.category === 3 && upsert.length)
    invalid({ 'upsert.0.keyword': 'A fax number can’t receive texts.' });
  const before = await triggersOf(ctx.tx, ctx.companyId, [numberId]);
  const keywordById = new Map(
    before
      .filter((row) => !remove.includes(row.id))
      .map((row) => [row.id, row.keyword.toLowerCase()]),
  );
  if (remove.length) await removeTriggers(ctx.tx, ctx.companyId, numberId, remove);
  const errors: Record<string, string> = {};
  const users = await activeUsersAmong(
    ctx.tx,
    ctx.companyId,
    upsert.flatMap((input) => input.notify_user_ids ?? []),
  );
  for (const [i, input] of upsert.entries()) {
    const existingId =
      input.id ??
      [...keywordById].find(([, keyword]) => keyword === input.keyword?.toLowerCase())?.[0];
    const problem = await triggerProblem(ctx, input, existingId, keywordById, users);
    if (problem) {
      errors[`upsert.${i}.${problem.field}`] = problem.message;
      continue;
    }
    const columns = await triggerColumnsOf(ctx, input, `upsert.${i}`, errors);
    const existing = before.find((row) => row.id === existingId);
    if (endsBeforeStart(existing, columns))
      errors[`upsert.${i}.end_at`] = 'Choose an end after the start.';
    if (Object.keys(errors).length) continue;
    const id = await saveTrigger(ctx, numberId, existingId, input, columns);
    keywordById.set(
      id,
      (input.keyword ?? mustBe(keywordById.get(id), 'keyword of a stored rule')).toLowerCase(),
    );
  }
  if (Object.keys(errors).length) invalid(errors);
  const after = await triggersOf(ctx.tx, ctx.companyId, [numberId]);
  await recordKeywords(ctx, numberId, before, after);
  await ctx.publish(contract.triggersChanged, { companyId: ctx.companyId, numberId }, { numberId });
  return { data: after.map((row) => presentTrigger(ctx, row)) };
}

/** What is wrong with a rule, as field and sentence; null: nothing. */
async function triggerProblem(
  ctx: TxCtx,
  input: contract.TriggerIn,
  existingId: number | undefined,
  keywordById: ReadonlyMap<number, string>,
  users: ReadonlySet<number>,
): Promise<{ field: string; message: string } | null> {
  if (input.id && !keywordById.has(input.id))
    return { field: 'id', message: 'This rule no longer exists. Reload and try again.' };
  const wanted = input.keyword?.toLowerCase();
  if (wanted && [...keywordById].some(([id, keyword]) => id !== existingId && keyword === wanted))
    return { field: 'keyword', message: 'Another rule for this number has this keyword.' };
  if (input.notify_user_ids?.some((id) => !users.has(id)))
    return { field: 'notify_user_ids', message: 'This person isn’t in the company.' };
  const groups = await groupsOfIds(ctx.tx, ctx.companyId, input.group_ids ?? []);
  if (groups.length < new Set(input.group_ids).size)
    return { field: 'group_ids', message: 'This group doesn’t exist.' };
  if (groups.some((group) => group.rule !== null))
    return {
      field: 'group_ids',
      message: 'The contacts in this group follow its rule. Choose a group without a rule.',
    };
  const labels = await labelsByIds(ctx.tx, ctx.companyId, input.label_ids ?? []);
  if (labels.length < new Set(input.label_ids).size)
    return { field: 'label_ids', message: 'This label doesn’t exist.' };
  return null;
}

function endsBeforeStart(existing: TriggerRow | undefined, columns: TriggerColumns): boolean {
  const start = columns.start_at === undefined ? existing?.start_at : columns.start_at;
  const end = columns.end_at === undefined ? existing?.end_at : columns.end_at;
  return Boolean(start && end && new Date(end) <= new Date(start));
}

/** Changes the rule `existingId`, or adds one if that is undefined. Returns the rule's ID. */
async function saveTrigger(
  ctx: TxCtx,
  numberId: number,
  existingId: number | undefined,
  input: contract.TriggerIn,
  columns: TriggerColumns,
): Promise<number> {
  if (existingId === undefined)
    return insertTrigger(
      ctx.tx,
      ctx.companyId,
      numberId,
      { ...columns, keyword: mustBe(input.keyword, 'keyword of a rule without an ID') },
      ctx.actor.userId || null,
      ctx.now,
    );
  await updateTrigger(ctx.tx, ctx.companyId, existingId, { ...columns, updated_at: ctx.now });
  return existingId;
}

/** Adds a change of the keywords to the timeline, and every change of rules to the audit log. */
async function recordKeywords(
  ctx: TxCtx,
  numberId: number,
  before: readonly TriggerRow[],
  after: readonly TriggerRow[],
): Promise<void> {
  const keywordsOf = (rows: readonly { keyword: string }[]) => rows.map((row) => row.keyword);
  if (keywordsOf(before).join() !== keywordsOf(after).join())
    await recordNumberEvent(ctx, numberId, {
      type: 'settings_changed',
      summary: `Keywords: ${keywordsOf(after).join(', ') || 'none'}`,
      before: { keywords: keywordsOf(before) },
      after: { keywords: keywordsOf(after) },
    });
  await audit(ctx, 'number.triggers_changed', `number:${numberId}`, {
    before: keywordsOf(before),
    after: keywordsOf(after),
  });
}

async function triggerColumnsOf(
  ctx: TxCtx,
  input: contract.TriggerIn,
  at: string,
  errors: Record<string, string>,
): Promise<TriggerColumns> {
  const moment = (text: string | null | undefined) => (text ? new Date(text) : text);
  let reply_media: string | undefined;
  if (input.reply_media) {
    const files = await existingFiles(ctx.tx, ctx.companyId, input.reply_media);
    if (files.length < new Set(input.reply_media).size)
      errors[`${at}.reply_media`] = 'This file doesn’t exist.';
    reply_media = JSON.stringify(
      files.map((file): ReplyFile => ({
        file_id: file.id,
        name: file.name,
        type: file.content_type,
        bytes: file.bytes,
      })),
    );
  }
  const all = {
    keyword: input.keyword,
    match_mode: input.match_mode,
    active: input.active,
    reply_text: input.reply_text === '' ? null : input.reply_text,
    reply_media,
    group_ids: input.group_ids,
    label_ids: input.label_ids,
    set_optin: input.set_optin,
    notify_user_ids: input.notify_user_ids,
    notify_emails: input.notify_email,
    marketing: input.marketing,
    start_at: moment(input.start_at),
    end_at: moment(input.end_at),
    cooldown_minutes: input.cooldown_minutes,
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as TriggerColumns;
}
