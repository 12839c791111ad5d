import type { Ctx } from '../../../platform/context.ts';
import { placeTakenBy, removeTag } from '../../fields/index.ts';
import { replaceTagOfSome } from './store-tags.ts';

/** Calls that one transaction changes. */
const STEP = 500;

/**
 * Job: the calls of a merged tag get the one that takes its place, and the tag is deleted. Goes on
 * where it was interrupted.
 */
export async function moveTag(ctx: Ctx, { gone }: { gone: number }): Promise<void> {
  for (let moved = STEP; moved === STEP;)
    moved = await ctx.transaction(async ({ tx, companyId }) => {
      // Read for each step: the other tag may be merged as well meanwhile.
      const kept = await placeTakenBy(tx, companyId, gone);
      if (kept === null) return 0;
      const n = await replaceTagOfSome(tx, companyId, { gone, kept }, STEP);
      if (n < STEP) await removeTag(tx, companyId, gone);
      return n;
    });
}
