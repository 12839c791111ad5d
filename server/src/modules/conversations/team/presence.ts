import type { Answer, Body } from '#contract';
import {
  presenceChanged,
  presenceSeconds,
  type There,
  type tellPresence as said,
} from '#contract/teamwork';
import type { TxCtx } from '../../../platform/context.ts';
import { theConversation } from '../read.ts';
import { dropPresence, presenceAt, putPresence, type PresenceRow } from './store.ts';

const holds = (row: PresenceRow, now: Date): boolean =>
  now.getTime() - row.at.getTime() < presenceSeconds[row.state as 'viewing'] * 1000;
/** Writing ends sooner than being there: whoever stopped writing is still looking. */
function shown(row: PresenceRow, now: Date): There | null {
  if (holds(row, now))
    return {
      id: row.user_id,
      name: row.name,
      state: row.state as There['state'],
      at: row.at.toISOString(),
    };
  return row.state === 'replying' && holds({ ...row, state: 'viewing' }, now)
    ? { id: row.user_id, name: row.name, state: 'viewing', at: row.at.toISOString() }
    : null;
}
const others = (ctx: TxCtx, rows: readonly PresenceRow[]): There[] =>
  rows
    .filter((row) => row.user_id !== ctx.actor.userId)
    .flatMap((row) => shown(row, ctx.now) ?? []);

export async function listPresence(ctx: TxCtx, id: number): Promise<{ data: There[] }> {
  const conversation = await theConversation(ctx, id);
  return { data: others(ctx, await presenceAt(ctx.tx, ctx.companyId, conversation.id)) };
}

/** Said again within half its time it is no news: the row is renewed for those who come later, and nobody is told twice. */
export async function tellPresence(
  ctx: TxCtx,
  id: number,
  body: Body<typeof said>,
): Promise<Answer<typeof said>> {
  const conversation = await theConversation(ctx, id);
  const rows = await presenceAt(ctx.tx, ctx.companyId, conversation.id);
  const { userId, name } = ctx.actor;
  const before = rows.find((row) => row.user_id === userId);
  const fresh =
    before &&
    before.state === body.state &&
    ctx.now.getTime() - before.at.getTime() < presenceSeconds[body.state as 'viewing'] * 500;
  if (userId && !fresh) {
    const news =
      body.state === 'away'
        ? await dropPresence(ctx.tx, ctx.companyId, conversation.id, userId)
        : true;
    if (body.state !== 'away')
      await putPresence(ctx.tx, {
        company_id: ctx.companyId,
        conversation_id: conversation.id,
        user_id: userId,
        name,
        state: body.state,
        at: ctx.now,
      });
    if (news)
      await ctx.say(
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
  return { data: others(ctx, rows) };
}
