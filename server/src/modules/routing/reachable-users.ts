import type { TxCtx } from '../../platform/context.ts';

/** Who can be rung now, and who doesn't want to be. */
export interface CallingPresence {
  /** Users whose app can ring: status active and a device connected. */
  reachable: ReadonlySet<number>;
  /** Users with do not disturb, and until when; null = until they turn it off. */
  doNotDisturb: ReadonlyMap<number, Date | null>;
}

let provider: ((ctx: TxCtx) => Promise<CallingPresence>) | null = null;

/**
 * Registers the function that knows presence. Its module depends on routing, so routing cannot
 * import it. Without a provider every user who is set up for calling counts as reachable.
 */
export function provideCallingPresence(query: (ctx: TxCtx) => Promise<CallingPresence>): void {
  provider = query;
}

/** Who can be rung now; null = no provider is registered. */
export const callingPresenceNow = async (ctx: TxCtx): Promise<CallingPresence | null> =>
  provider === null ? null : provider(ctx);
