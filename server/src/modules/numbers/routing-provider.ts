import type { TxCtx } from '../../platform/context.ts';

/** Whose routes a new number gets: a template's, another number's, or (neither) the usual ones. */
export interface RouteSource {
  templateId?: number | null;
  copyOf?: number | null;
}
/** What routing does for numbers, each within the transaction of whoever asks. */
export interface RoutingProvider {
  /** Gives a number that becomes active its first routes. */
  createRoutes(ctx: TxCtx, numberId: number, like: RouteSource): Promise<void>;
  /** Nobody else writes this number's routes until the transaction ends; asked before the number's row is locked. */
  lockRoutes(ctx: TxCtx, numberId: number): Promise<void>;
  /** Gives a number in use the routes of a template, if that has any. */
  applyTemplateRoutes(ctx: TxCtx, numberId: number, templateId: number): Promise<void>;
}

let routingProvider: RoutingProvider | null = null;

/**
 * Routing comes later on the list, so numbers cannot ask it; it gives its answers here once, when it is loaded. They are in the
 * transaction that makes a number active or gives it a template: the next call is already routed, whatever waits in the queue.
 */
export function registerRoutingProvider(provider: RoutingProvider): void {
  routingProvider = provider;
}

export const createRoutes: RoutingProvider['createRoutes'] = async (...asked) => {
  await routingProvider?.createRoutes(...asked);
};
export const lockRoutes: RoutingProvider['lockRoutes'] = async (...asked) => {
  await routingProvider?.lockRoutes(...asked);
};
export const applyTemplateRoutes: RoutingProvider['applyTemplateRoutes'] = async (...asked) => {
  await routingProvider?.applyTemplateRoutes(...asked);
};
