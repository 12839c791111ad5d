import type { TxCtx } from '../../platform/context.ts';

/** Which users' apps can ring now: status active and a device connected. */
type ReachableUsers = (ctx: TxCtx) => Promise<ReadonlySet<number>>;

let provider: ReachableUsers | null = null;

/**
 * Registers the function that knows presence. Its module depends on routing, so routing cannot
 * import it. Without a provider every user who is set up for calling counts as reachable.
 */
export function provideReachableUsers(query: ReachableUsers): void {
  provider = query;
}

/** Users whose app can ring now; null = no provider is registered. */
export const reachableNow = async (ctx: TxCtx): Promise<ReadonlySet<number> | null> =>
  provider === null ? null : provider(ctx);
