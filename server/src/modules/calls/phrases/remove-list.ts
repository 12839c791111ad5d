import { phrases as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { deleteHidden } from './store.ts';

/** Transcripts, whose calls one transaction changes. */
const STEP = 200;

/** Job: takes a deleted list out of the calls it was found in. Goes on where it was interrupted. */
export async function removeList(ctx: Ctx, { listId }: { listId: number }): Promise<void> {
  for (let n = STEP; n === STEP;)
    n = await ctx.transaction((t) => deleteHidden(t.tx, t.companyId, listId, STEP));
  await ctx.transaction((t) => t.publish(contract.phraseListsChanged, { companyId: t.companyId }));
}
