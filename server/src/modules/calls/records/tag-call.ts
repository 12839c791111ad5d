import { calls as contract, type Answer } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound } from '../../../platform/errors.ts';
import { tagsByName } from '../../fields/index.ts';
import { addHistory } from './store-history.ts';
import { tagCall, tagsOfCall, untagCall } from './store-tags.ts';
import { lockCall, visibleCall } from './store.ts';

const MOST_TAGS = 50;

/** Put tags on a call; names nobody used before join the catalogue when the actor may edit it (A9.2). */
export async function addCallTags(
  ctx: TxCtx,
  id: number,
  names: readonly string[],
): Promise<Answer<typeof contract.addCallTags>> {
  return changeTags(ctx, id, 'Tagged', async (now) => {
    const tags = await tagsByName(ctx, names);
    const fresh = tags.filter((t) => !now.some((n) => n.id === t.id));
    if (now.length + fresh.length > MOST_TAGS)
      invalid({ tags: `A call has at most ${MOST_TAGS} tags.` });
    if (fresh.length)
      await tagCall(
        ctx.tx,
        ctx.companyId,
        id,
        fresh.map((t) => t.id),
        ctx.actor.userId,
        ctx.now,
      );
    return fresh;
  });
}

/** Take tags off a call; a name it does not carry is no error. */
export async function removeCallTags(
  ctx: TxCtx,
  id: number,
  names: readonly string[],
): Promise<Answer<typeof contract.removeCallTags>> {
  return changeTags(ctx, id, 'Tag removed', async (now) => {
    const wanted = new Set(names.map((n) => n.trim().toLowerCase()));
    const gone = now.filter((t) => wanted.has(t.name.toLowerCase()));
    if (gone.length)
      await untagCall(
        ctx.tx,
        ctx.companyId,
        id,
        gone.map((t) => t.id),
      );
    return gone;
  });
}

type Tag = { id: number; name: string; color: string };
async function changeTags(
  ctx: TxCtx,
  id: number,
  label: string,
  change: (now: Tag[]) => Promise<Tag[]>,
) {
  const { tx, companyId } = ctx;
  if (!(await visibleCall(tx, companyId, id, ctx.numbers))) notFound();
  const row = (await lockCall(tx, companyId, id)) ?? notFound();
  const before = await tagsOfCall(tx, companyId, id);
  const touched = await change(before);
  const after = touched.length ? await tagsOfCall(tx, companyId, id) : before;
  if (touched.length) {
    await addHistory(tx, companyId, id, [
      {
        kind: 'history',
        at: ctx.now,
        code: null,
        label,
        leg: null,
        target: null,
        detail: touched.map((t) => t.name).join(', '),
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
  }
  return { data: { tags: after } };
}
