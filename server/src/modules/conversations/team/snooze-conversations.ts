import type { Answer, Body } from '#contract';
import { snoozeLimits } from '#contract/conversations/team/rules';
import type { snoozeConversations as said } from '#contract/conversations/team/endpoints';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { publishConversationsUpdated } from '../publish-conversation-updated.ts';
import { conversationById, lockConversationsByIds } from '../store.ts';
import { setSnoozed, clearSnooze } from './store-assignments.ts';
import { unsnoozeJob } from './job-kinds.ts';

/** Null when a conversation may be snoozed until then; otherwise the error text. */
function snoozeProblem(until: Date, now: Date): 'snooze.too_soon' | 'snooze.too_late' | null {
  const seconds = (until.getTime() - now.getTime()) / 1000;
  if (!(seconds >= snoozeLimits.soonest)) return 'snooze.too_soon';
  return seconds > snoozeLimits.latest ? 'snooze.too_late' : null;
}

/**
 * Hides conversations until a time, or wakes them (null). Fails for a time that is past or too far
 * away.
 */
export async function snoozeConversations(
  ctx: TxCtx,
  body: Body<typeof said>,
): Promise<Answer<typeof said>> {
  const wanted = [...new Set(body.ids)];
  const until = body.until === null ? null : new Date(body.until);
  const problem = until && snoozeProblem(until, ctx.now);
  if (problem) fail(problem);
  const rows = await lockConversationsByIds(ctx.tx, ctx.companyId, wanted, ctx.numbers);
  const changingIds = rows
    .filter((row) =>
      until ? row.snoozed_until?.getTime() !== until.getTime() : row.snoozed_until !== null,
    )
    .map((row) => row.id);
  const updated = !changingIds.length
    ? []
    : until
      ? await setSnoozed(
          ctx.tx,
          ctx.companyId,
          changingIds,
          until,
          ctx.actor.userId || null,
          ctx.now,
        )
      : await clearSnooze(ctx.tx, ctx.companyId, changingIds, ctx.now);
  if (until) for (const row of updated) await enqueueWakeUp(ctx, row.id, until);
  await publishConversationsUpdated(ctx, until ? 'snoozed' : 'woken', updated);
  const changed = new Set(updated.map((row) => row.id));
  return { data: { updated: [...changed], unchanged: wanted.filter((id) => !changed.has(id)) } };
}

/** One waiting job per conversation; another time replaces it. */
export const enqueueWakeUp = (ctx: TxCtx, conversationId: number, runAt: Date) =>
  ctx.enqueue(
    unsnoozeJob,
    { conversationId },
    { key: `wake:${ctx.companyId}:${conversationId}`, runAt },
  );

/**
 * Timer: returns conversations that are still snoozed and due, with an event. One returned earlier,
 * or snoozed longer, is left alone.
 */
export async function endSnooze(ctx: Ctx, job: { conversationId: number }): Promise<void> {
  await ctx.transaction(async (t) => {
    const row = await conversationById(t.tx, t.companyId, job.conversationId, null, true);
    if (!row?.snoozed_until) return;
    if (row.snoozed_until > t.now) return enqueueWakeUp(t, row.id, row.snoozed_until);
    await publishConversationsUpdated(
      t,
      'woken',
      await clearSnooze(t.tx, t.companyId, [row.id], t.now),
    );
  });
}
