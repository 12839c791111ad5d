import type { Answer, Body } from '#contract';
import { teamNotification } from '#contract/conversations/teamwork/events';
import type { assignConversations as said } from '#contract/conversations/teamwork/endpoints';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { partyName } from '../present.ts';
import { publishConversationsUpdated } from '../publish-conversation-updated.ts';
import { lockConversationsByIds } from '../store.ts';
import { setAssignee } from './store-assignments.ts';
import { teammatesOf } from './store-teammates.ts';
import { seesNumber } from './teammates.ts';

/**
 * Assigns conversations to a user. Their rows are locked, so of two concurrent calls the second
 * sees the first: with `from` it then changes nothing and names the assignee. Notifies the
 * assignee, unless it is the actor.
 */
export async function assignConversations(
  ctx: TxCtx,
  body: Body<typeof said>,
): Promise<Answer<typeof said>> {
  const uniqueIds = [...new Set(body.ids)];
  const rows = await lockConversationsByIds(ctx.tx, ctx.companyId, uniqueIds, ctx.numbers);
  const assignee =
    body.userId === null
      ? null
      : (await teammatesOf(ctx.db.unscoped, ctx.companyId)).find((mate) => mate.id === body.userId);
  if (
    assignee === undefined ||
    (assignee && rows.some((row) => !seesNumber(assignee, row.number_id)))
  )
    fail('teammate.unknown');
  const taken =
    body.from === undefined
      ? []
      : rows.filter((row) => row.assigned_to !== body.from && row.assigned_to !== body.userId);
  const changing = rows.filter((row) => row.assigned_to !== body.userId && !taken.includes(row));
  const updated = changing.length
    ? await setAssignee(
        ctx.tx,
        ctx.companyId,
        changing.map((row) => row.id),
        assignee,
        ctx.now,
      )
    : [];
  await publishConversationsUpdated(ctx, 'assigned', updated);
  if (assignee && assignee.id !== ctx.actor.userId)
    for (const row of updated) {
      const about = await partyName(ctx, row);
      await ctx.publish(
        teamNotification,
        {
          companyId: ctx.companyId,
          kind: 'assigned',
          userId: assignee.id,
          byName: ctx.actor.name,
          conversationId: row.id,
          numberId: row.number_id,
          about,
          text: '',
          key: `assigned:${row.id}:${ctx.now.getTime()}`,
        },
        { userId: assignee.id },
      );
    }
  const changed = new Set(updated.map((row) => row.id));
  return {
    data: {
      updated: [...changed],
      unchanged: uniqueIds.filter((id) => !changed.has(id)),
      taken: taken.map((row) => ({
        id: row.id,
        by:
          row.assigned_to === null ? null : { id: row.assigned_to, name: row.assigned_name ?? '' },
      })),
    },
  };
}
