import type { Answer, Body } from '#contract';
import { teamNews, type assignConversations as said } from '#contract/teamwork';
import type { TxCtx } from '../../../platform/context.ts';
import { refuse } from '../../../platform/refuse.ts';
import { nameOfRow } from '../present.ts';
import { sayAllUpdated } from '../say-updated.ts';
import { conversationsByIds } from '../store.ts';
import { assignTo, teammatesOf } from './store.ts';
import { seesNumber } from './teammates.ts';

/**
 * Give conversations to somebody. Their rows are locked, so of two who assign at once the second sees what the first did: with
 * `from` it then leaves it and says who has it. Whoever is given one (not by oneself) is told.
 */
export async function assignConversations(
  ctx: TxCtx,
  body: Body<typeof said>,
): Promise<Answer<typeof said>> {
  const wanted = [...new Set(body.ids)];
  const rows = await conversationsByIds(ctx.tx, ctx.companyId, wanted, ctx.numbers);
  const who =
    body.userId === null
      ? null
      : (await teammatesOf(ctx.db.directory, ctx.companyId)).find(
          (mate) => mate.id === body.userId,
        );
  if (who === undefined || (who && rows.some((row) => !seesNumber(who, row.number_id))))
    refuse('teammate.unknown');
  const taken =
    body.from === undefined
      ? []
      : rows.filter((row) => row.assigned_to !== body.from && row.assigned_to !== body.userId);
  const moving = rows.filter((row) => row.assigned_to !== body.userId && !taken.includes(row));
  const updated = moving.length
    ? await assignTo(
        ctx.tx,
        ctx.companyId,
        moving.map((row) => row.id),
        who,
        ctx.now,
      )
    : [];
  await sayAllUpdated(ctx, 'assigned', updated);
  if (who && who.id !== ctx.actor.userId)
    for (const row of updated) {
      const about = await nameOfRow(ctx, row);
      await ctx.say(
        teamNews,
        {
          companyId: ctx.companyId,
          kind: 'assigned',
          userId: who.id,
          byName: ctx.actor.name,
          conversationId: row.id,
          numberId: row.number_id,
          about,
          text: '',
          key: `assigned:${row.id}:${ctx.now.getTime()}`,
        },
        { userId: who.id },
      );
    }
  const changed = new Set(updated.map((row) => row.id));
  return {
    data: {
      updated: [...changed],
      unchanged: wanted.filter((id) => !changed.has(id)),
      taken: taken.map((row) => ({
        id: row.id,
        by:
          row.assigned_to === null ? null : { id: row.assigned_to, name: row.assigned_name ?? '' },
      })),
    },
  };
}
