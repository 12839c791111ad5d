import type { Answer, Body } from '#contract';
import { cannedRepliesChanged } from '#contract/conversations/team/events';
import type { CannedReply } from '#contract/conversations/team/schemas';
import type {
  addCannedReply as adding,
  listCannedReplies as listing,
  updateCannedReply as updating,
} from '#contract/conversations/team/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound, fail } from '../../../platform/errors.ts';
import {
  cannedReplyById,
  countCannedReplies,
  cannedRepliesOf,
  isShortcutTaken,
  updateCannedReplyRow,
  deleteCannedReply,
  insertCannedReply,
  type CannedReplyRow,
} from './store-canned-replies.ts';

const maxReplies = 500;
/** Shared ones are changed by their author and by owners and administrators. */
const canEdit = (ctx: TxCtx, row: { shared: boolean; owner_id: number }): boolean =>
  row.owner_id === ctx.actor.userId || (row.shared && ctx.may('settings.edit') !== 'none');
const presentReply = (ctx: TxCtx, row: CannedReplyRow): CannedReply => ({
  id: row.id,
  shortcut: row.shortcut,
  title: row.title,
  body: row.body,
  shared: row.shared,
  owner: { id: row.owner_id, name: row.owner_name },
  mine: row.owner_id === ctx.actor.userId,
  can_change: canEdit(ctx, row),
  updated_at: row.updated_at.toISOString(),
});

/** The user's own and the shared replies that hold the words. */
export const listCannedReplies = async (
  ctx: TxCtx,
  search: string | undefined,
): Promise<Answer<typeof listing>> => ({
  data: (await cannedRepliesOf(ctx.tx, ctx.companyId, ctx.actor.userId, search)).map((row) =>
    presentReply(ctx, row),
  ),
});

/**
 * Stores a reply. `canned.limit` when the user has too many; fails too when the shortcut is taken.
 */
export async function addCannedReply(
  ctx: TxCtx,
  body: Body<typeof adding>,
): Promise<Answer<typeof adding>> {
  if ((await countCannedReplies(ctx.tx, ctx.companyId, ctx.actor.userId)) >= maxReplies)
    fail('canned.limit');
  const { shortcut, title, body: text, shared } = body;
  const row =
    (await insertCannedReply(ctx.tx, {
      company_id: ctx.companyId,
      owner_id: ctx.actor.userId,
      owner_name: ctx.actor.name,
      shortcut,
      title,
      body: text,
      shared,
      created_at: ctx.now,
      updated_at: ctx.now,
    })) ?? fail('canned.exists', { shortcut });
  await ctx.publish(cannedRepliesChanged, { companyId: ctx.companyId });
  return { data: presentReply(ctx, row) };
}

/** Another user's private reply is not found. */
async function requireEditableReply(ctx: TxCtx, id: number): Promise<CannedReplyRow> {
  const row = await cannedReplyById(ctx.tx, ctx.companyId, id);
  if (!row || (!row.shared && row.owner_id !== ctx.actor.userId)) notFound();
  return canEdit(ctx, row) ? row : fail('canned.not_yours');
}

/** Changes a reply. Fails when it is not the user's to edit or the shortcut is taken. */
export async function updateCannedReply(
  ctx: TxCtx,
  id: number,
  body: Body<typeof updating>,
): Promise<Answer<typeof updating>> {
  const before = await requireEditableReply(ctx, id);
  const set = Object.fromEntries(
    (['shortcut', 'title', 'body', 'shared'] as const)
      .filter((key) => body[key] !== undefined)
      .map((key) => [key, body[key]]),
  ) as Partial<{ shortcut: string; title: string; body: string; shared: boolean }>;
  const after = { ...before, ...set };
  if (
    await isShortcutTaken(ctx.tx, ctx.companyId, {
      shortcut: after.shortcut,
      shared: after.shared,
      ownerId: before.owner_id,
      but: id,
    })
  )
    fail('canned.exists', { shortcut: after.shortcut });
  const row = await updateCannedReplyRow(ctx.tx, ctx.companyId, id, {
    ...set,
    updated_at: ctx.now,
  });
  await ctx.publish(cannedRepliesChanged, { companyId: ctx.companyId });
  return { data: presentReply(ctx, row) };
}

/** Deletes a reply that the user may edit. */
export async function removeCannedReply(ctx: TxCtx, id: number): Promise<void> {
  await requireEditableReply(ctx, id);
  await deleteCannedReply(ctx.tx, ctx.companyId, id);
  await ctx.publish(cannedRepliesChanged, { companyId: ctx.companyId });
}
