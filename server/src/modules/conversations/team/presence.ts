import type { Answer, Body } from '#contract';
import { presenceChanged } from '#contract/conversations/team/events';
import { presenceSeconds } from '#contract/conversations/team/rules';
import type { PresentUser } from '#contract/conversations/team/schemas';
import type { tellPresence as said } from '#contract/conversations/team/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { findConversation } from '../read.ts';
import { deletePresence, presenceOf, upsertPresence, type PresenceRow } from './store-presence.ts';

const isCurrent = (row: PresenceRow, now: Date): boolean =>
  now.getTime() - row.at.getTime() < presenceSeconds[row.state as 'viewing'] * 1000;
/** Typing expires sooner than viewing: a user who stopped typing is still looking. */
function presentPresence(row: PresenceRow, now: Date): PresentUser | null {
  if (isCurrent(row, now))
    return {
      id: row.user_id,
      name: row.name,
      state: row.state as PresentUser['state'],
      at: row.at.toISOString(),
    };
  return row.state === 'replying' && isCurrent({ ...row, state: 'viewing' }, now)
    ? { id: row.user_id, name: row.name, state: 'viewing', at: row.at.toISOString() }
    : null;
}
const presentOthers = (ctx: TxCtx, rows: readonly PresenceRow[]): PresentUser[] =>
  rows
    .filter((row) => row.user_id !== ctx.actor.userId)
    .flatMap((row) => presentPresence(row, ctx.now) ?? []);

/** Who else has the conversation open now, and who of them is writing. */
export async function listPresence(ctx: TxCtx, id: number): Promise<{ data: PresentUser[] }> {
  const conversation = await findConversation(ctx, id);
  return { data: presentOthers(ctx, await presenceOf(ctx.tx, ctx.companyId, conversation.id)) };
}

/**
 * A repeat within half its lifetime is not published: the row is only renewed for users who arrive
 * later.
 */
export async function updatePresence(
  ctx: TxCtx,
  id: number,
  body: Body<typeof said>,
): Promise<Answer<typeof said>> {
  const conversation = await findConversation(ctx, id);
  const rows = await presenceOf(ctx.tx, ctx.companyId, conversation.id);
  const { userId, name } = ctx.actor;
  const before = rows.find((row) => row.user_id === userId);
  const isRecent =
    before &&
    before.state === body.state &&
    ctx.now.getTime() - before.at.getTime() < presenceSeconds[body.state as 'viewing'] * 500;
  if (userId && !isRecent) {
    const changed =
      body.state === 'away'
        ? await deletePresence(ctx.tx, ctx.companyId, conversation.id, userId)
        : true;
    if (body.state !== 'away')
      await upsertPresence(ctx.tx, {
        company_id: ctx.companyId,
        conversation_id: conversation.id,
        user_id: userId,
        name,
        state: body.state,
        at: ctx.now,
      });
    if (changed)
      await ctx.publish(
        presenceChanged,
        {
          conversationId: conversation.id,
          userId,
          name,
          state: body.state,
          at: ctx.now.toISOString(),
        },
        { numberId: conversation.number_id },
      );
  }
  return { data: presentOthers(ctx, rows) };
}
