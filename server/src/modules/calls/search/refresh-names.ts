import type { Ctx } from '../../../platform/context.ts';
import { refreshWords } from './store-words.ts';

/** Calls that one transaction looks up. */
const STEP = 500;

/**
 * Job: calls of a contact or a tag are found by its new name. Starts over when it is interrupted:
 * looking a name up twice changes nothing.
 */
export async function refreshNames(
  ctx: Ctx,
  { named, id, after }: { named: 'contact' | 'tag'; id: number; after: number },
): Promise<void> {
  for (let last: number | null = after; last !== null;) {
    const from: number = last;
    last = await ctx.transaction((t) => refreshWords(t.tx, t.companyId, { named, id }, from, STEP));
  }
}
