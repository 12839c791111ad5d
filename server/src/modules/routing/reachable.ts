import type { TxCtx } from '../../platform/context.ts';

/** Which users' apps can ring now: status active and a device connected. */
export type Reachable = (ctx: TxCtx) => Promise<ReadonlySet<number>>;

let answer: Reachable | null = null;

/**
 * The module that keeps in-app status comes later on the list, so routing cannot ask it; it gives its answer here once,
 * when it is loaded. Without it everyone who is set up for calling counts as reachable.
 */
export function answerReachable(by: Reachable): void {
  answer = by;
}

export const reachableNow = async (ctx: TxCtx): Promise<ReadonlySet<number> | null> =>
  answer === null ? null : answer(ctx);
