import type { Answer, Body } from '#contract';
import {
  cannedChanged,
  type CannedReply,
  type addCannedReply as adding,
  type listCannedReplies as listing,
  type updateCannedReply as updating,
} from '#contract/teamwork';
import type { TxCtx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import {
  cannedById,
  cannedCount,
  cannedOf,
  cannedTaken,
  changeCanned,
  deleteCanned,
  insertCanned,
  type CannedRow,
} from './store.ts';

const most = 500;
/** What everybody sees is changed by its author and by those who run the company. */
const mayChange = (ctx: TxCtx, row: { shared: boolean; owner_id: number }): boolean =>
  row.owner_id === ctx.actor.userId || (row.shared && ctx.may('settings.edit') !== 'none');
const present = (ctx: TxCtx, row: CannedRow): CannedReply => ({
  id: row.id,
  shortcut: row.shortcut,
  title: row.title,
  body: row.body,
  shared: row.shared,
  owner: { id: row.owner_id, name: row.owner_name },
  mine: row.owner_id === ctx.actor.userId,
  can_change: mayChange(ctx, row),
  updated_at: row.updated_at.toISOString(),
});

export const listCannedReplies = async (
  ctx: TxCtx,
  search: string | undefined,
): Promise<Answer<typeof listing>> => ({
  data: (await cannedOf(ctx.tx, ctx.companyId, ctx.actor.userId, search)).map((row) =>
    present(ctx, row),
  ),
});

export async function addCannedReply(
  ctx: TxCtx,
  body: Body<typeof adding>,
): Promise<Answer<typeof adding>> {
  if ((await cannedCount(ctx.tx, ctx.companyId, ctx.actor.userId)) >= most) refuse('canned.limit');
  const { shortcut, title, body: text, shared } = body;
  const row =
    (await insertCanned(ctx.tx, {
      company_id: ctx.companyId,
      owner_id: ctx.actor.userId,
      owner_name: ctx.actor.name,
      shortcut,
      title,
      body: text,
      shared,
      created_at: ctx.now,
      updated_at: ctx.now,
    })) ?? refuse('canned.exists', { shortcut });
  await ctx.say(cannedChanged, { companyId: ctx.companyId });
  return { data: present(ctx, row) };
}

/** Somebody else's own reply is not there for anybody else. */
async function theReply(ctx: TxCtx, id: number): Promise<CannedRow> {
  const row = await cannedById(ctx.tx, ctx.companyId, id);
  if (!row || (!row.shared && row.owner_id !== ctx.actor.userId)) missing();
  return mayChange(ctx, row) ? row : refuse('canned.not_yours');
}

export async function updateCannedReply(
  ctx: TxCtx,
  id: number,
  body: Body<typeof updating>,
): Promise<Answer<typeof updating>> {
  const before = await theReply(ctx, id);
  const set = Object.fromEntries(
    (['shortcut', 'title', 'body', 'shared'] as const)
      .filter((key) => body[key] !== undefined)
      .map((key) => [key, body[key]]),
  ) as Partial<{ shortcut: string; title: string; body: string; shared: boolean }>;
  const after = { ...before, ...set };
  if (
    await cannedTaken(ctx.tx, ctx.companyId, {
      shortcut: after.shortcut,
      shared: after.shared,
      ownerId: before.owner_id,
      but: id,
    })
  )
    refuse('canned.exists', { shortcut: after.shortcut });
  const row = await changeCanned(ctx.tx, ctx.companyId, id, { ...set, updated_at: ctx.now });
  await ctx.say(cannedChanged, { companyId: ctx.companyId });
  return { data: present(ctx, row) };
}

export async function removeCannedReply(ctx: TxCtx, id: number): Promise<void> {
  await theReply(ctx, id);
  await deleteCanned(ctx.tx, ctx.companyId, id);
  await ctx.say(cannedChanged, { companyId: ctx.companyId });
}
