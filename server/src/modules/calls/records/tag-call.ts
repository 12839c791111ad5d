import { calls as contract, type Answer } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { tagsByName } from '../../fields/index.ts';
import { applyOutcomeRules } from '../outcome-rules/apply-rules.ts';
import { addHistory } from './store-history.ts';
import { tagCall, tagsOfCall, untagCall } from './store-tags.ts';
import { lockCall, visibleCall } from './store.ts';

const MOST_TAGS = 50;

/** Adds tags to a call; unknown names are created if the user may edit the catalog (A9.2). */
export async function addCallTags(
  ctx: TxCtx,
  id: number,
  names: readonly string[],
): Promise<Answer<typeof contract.addCallTags>> {
  return changeTags(ctx, id, 'Tagged', async (current) => {
    const tags = await tagsByName(ctx, names);
    const added = tags.filter((tag) => !current.some((one) => one.id === tag.id));
    if (current.length + added.length > MOST_TAGS)
      invalid({ tags: `A call can have at most ${MOST_TAGS} tags.` });
    if (added.length)
      await tagCall(
        ctx.tx,
        ctx.companyId,
        id,
        added.map((tag) => tag.id),
        ctx.actor.userId,
        ctx.now,
      );
    return added;
  });
}

/** Removes tags from a call; ignores names it does not have. */
export async function removeCallTags(
  ctx: TxCtx,
  id: number,
  names: readonly string[],
): Promise<Answer<typeof contract.removeCallTags>> {
  return changeTags(ctx, id, 'Tag removed', async (current) => {
    const wanted = new Set(names.map((name) => name.trim().toLowerCase()));
    const removed = current.filter((tag) => wanted.has(tag.name.toLowerCase()));
    if (removed.length)
      await untagCall(
        ctx.tx,
        ctx.companyId,
        id,
        removed.map((tag) => tag.id),
      );
    return removed;
  });
}

type Tag = { id: number; name: string; color: string };
/**
 * Changes a call's tags under its lock, with history and event. `change` returns what it changed.
 */
async function changeTags(
  ctx: TxCtx,
  id: number,
  label: string,
  change: (current: Tag[]) => Promise<Tag[]>,
) {
  const { tx, companyId } = ctx;
  if (!(await visibleCall(tx, companyId, id, ctx.numbers))) notFound();
  const row = (await lockCall(tx, companyId, id)) ?? notFound();
  const before = await tagsOfCall(tx, companyId, id);
  const changed = await change(before);
  const after = changed.length ? await tagsOfCall(tx, companyId, id) : before;
  if (changed.length) {
    await addHistory(tx, companyId, id, [
      {
        kind: 'history',
        at: ctx.now,
        code: null,
        label,
        leg: null,
        target: null,
        detail: changed.map((t) => t.name).join(', '),
        actor: ctx.actor.name,
        actor_id: ctx.actor.userId,
        node: null,
        matched: null,
        before: before.map((t) => t.name),
        after: after.map((t) => t.name),
      },
    ]);
    await ctx.publish(
      contract.callUpdated,
      { callId: id, numberId: row.number_id, changed: ['tags'] },
      { numberId: row.number_id },
    );
    await applyOutcomeRules(ctx, id);
  }
  return { data: { tags: after } };
}
