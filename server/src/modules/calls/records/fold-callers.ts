import type { Ctx } from '../../../platform/context.ts';
import { foldCallerChanges } from './store-callers.ts';

// The system role: adds up the changes of every company.
/** Changes that one transaction adds up. */
const STEP = 5000;

/** Job: adds up when callers had called last, for all companies. */
export async function foldCallers(ctx: Ctx): Promise<void> {
  for (let n = STEP; n >= STEP;)
    n = await ctx.db.systemTransaction((tx) => foldCallerChanges(tx, STEP));
}
