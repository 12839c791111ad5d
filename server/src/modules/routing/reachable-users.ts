import type { TxCtx } from '../../platform/context.ts';

/** Which users' apps can ring now: status active and a device connected. */
export type ReachableUsers = (ctx: TxCtx) => Promise<ReadonlySet<number>>;

let provider: ReachableUsers | null = null;

/**
 * The module that keeps in-app status comes later on the list, so routing cannot ask it; it gives its answer here once,
 * when it is loaded. Without it everyone who is set up for calling counts as reachable.
 */
export function provideReachableUsers(query: ReachableUsers): void {
  provider = query;
}

export const reachableNow = async (ctx: TxCtx): Promise<ReadonlySet<number> | null> =>
  provider === null ? null : provider(ctx);
