import type { TxCtx } from '../../platform/context.ts';

/** Whose routes a new number gets: a template's, another number's, or (neither) the usual ones. */
export interface RoutedLike {
  templateId?: number | null;
  copyOf?: number | null;
}
/** What routing does for numbers, each within the transaction of whoever asks. */
export interface Routing {
  /** Gives a number that becomes active its first routes. */
  routeNew(ctx: TxCtx, numberId: number, like: RoutedLike): Promise<void>;
  /** Nobody else writes this number's routes until the transaction ends; asked before the number's row is locked. */
  holdRoutes(ctx: TxCtx, numberId: number): Promise<void>;
  /** Gives a number in use the routes of a template, if that has any. */
  routeByTemplate(ctx: TxCtx, numberId: number, templateId: number): Promise<void>;
}

let routing: Routing | null = null;

/**
 * Routing comes later on the list, so numbers cannot ask it; it gives its answers here once, when it is loaded. They are in the
 * transaction that makes a number active or gives it a template: the next call is already routed, whatever waits in the queue.
 */
export function answerRoutes(by: Routing): void {
  routing = by;
}

export const routeNew: Routing['routeNew'] = async (...asked) => {
  await routing?.routeNew(...asked);
};
export const holdRoutes: Routing['holdRoutes'] = async (...asked) => {
  await routing?.holdRoutes(...asked);
};
export const routeByTemplate: Routing['routeByTemplate'] = async (...asked) => {
  await routing?.routeByTemplate(...asked);
};
