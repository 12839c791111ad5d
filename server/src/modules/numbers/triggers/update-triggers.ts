import { triggers as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
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
  for (const [i, one] of upsert.entries()) {
    const existingId =
      one.id ?? [...keywordById].find(([, keyword]) => keyword === one.keyword?.toLowerCase())?.[0];
    if (one.id && !keywordById.has(one.id)) {
      errors[`upsert.${i}.id`] = 'This rule no longer exists. Reload and try again.';
      continue;
    }
    if (
      one.keyword &&
      [...keywordById].some(
        ([id, keyword]) => id !== existingId && keyword === one.keyword!.toLowerCase(),
      )
    ) {
      errors[`upsert.${i}.keyword`] = 'Another rule for this number has this keyword.';
      continue;
    }
    const unknownUserId = one.notify_user_ids?.find((id) => !users.has(id));
    if (unknownUserId !== undefined) {
      errors[`upsert.${i}.notify_user_ids`] = 'This person isn’t in the company.';
      continue;
    }
    const groups = await groupsOfIds(ctx.tx, ctx.companyId, one.group_ids ?? []);
    if (groups.length < new Set(one.group_ids).size) {
      errors[`upsert.${i}.group_ids`] = 'This group doesn’t exist.';
      continue;
    }
    if (groups.some((g) => g.rule !== null)) {
      errors[`upsert.${i}.group_ids`] =
        'The contacts in this group follow its rule. Choose a group without a rule.';
      continue;
    }
    if (
      (await labelsByIds(ctx.tx, ctx.companyId, one.label_ids ?? [])).length <
      new Set(one.label_ids).size
    ) {
      errors[`upsert.${i}.label_ids`] = 'This label doesn’t exist.';
      continue;
    }
    const columns = await triggerColumnsOf(ctx, one, `upsert.${i}`, errors);
    const was = before.find((row) => row.id === existingId);
    const [from, to] = [
      columns.start_at === undefined ? was?.start_at : columns.start_at,
      columns.end_at === undefined ? was?.end_at : columns.end_at,
    ];
    if (from && to && new Date(to) <= new Date(from))
      errors[`upsert.${i}.end_at`] = 'Choose an end after the start.';
    if (Object.keys(errors).length) continue;
    const id =
      existingId ??
      (await insertTrigger(
        ctx.tx,
        ctx.companyId,
        numberId,
        { ...columns, keyword: one.keyword! },
        ctx.actor.userId || null,
        ctx.now,
      ));
    if (existingId !== undefined)
      await updateTrigger(ctx.tx, ctx.companyId, existingId, { ...columns, updated_at: ctx.now });
    keywordById.set(id, (one.keyword ?? keywordById.get(id)!).toLowerCase());
  }
  if (Object.keys(errors).length) invalid(errors);
  const after = await triggersOf(ctx.tx, ctx.companyId, [numberId]);
  const words = (rows: readonly { keyword: string }[]) => rows.map((row) => row.keyword);
  if (words(before).join() !== words(after).join())
    await recordNumberEvent(ctx, numberId, {
      type: 'settings_changed',
      summary: `Keywords: ${words(after).join(', ') || 'none'}`,
      before: { keywords: words(before) },
      after: { keywords: words(after) },
    });
  await audit(ctx, 'number.triggers_changed', `number:${numberId}`, {
    before: words(before),
    after: words(after),
  });
  await ctx.publish(contract.triggersChanged, { companyId: ctx.companyId, numberId }, { numberId });
  return { data: after.map((row) => presentTrigger(ctx, row)) };
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
