import type { TxCtx } from '../../platform/context.ts';

/** Whose routes a new number gets: a template's, another number's, or (neither) the usual ones. */
export interface RoutedLike { templateId?: number | null; copyOf?: number | null }
type Route = (ctx: TxCtx, numberId: number, like: RoutedLike) => Promise<void>;

let route: Route | null = null;

/**
 * Routing comes later on the list, so numbers cannot ask it; it gives its answer here once, when it is loaded. It is asked in
 * the transaction that makes a number active: the first call after "bought" is already routed, whatever waits in the queue.
 */
export function answerRoutesOfNew(by: Route): void {
  route = by;
}

export const routeNew: Route = async (ctx, numberId, like) => { await route?.(ctx, numberId, like); };
