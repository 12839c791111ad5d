import type { TxCtx } from '../../platform/context.ts';

/** Where a new number's routes come from: a template, another number, or (neither) the default. */
export interface RouteSource {
  templateId?: number | null;
  copyOf?: number | null;
}
/** What routing does for numbers, each within the caller's transaction. */
interface RoutingProvider {
  /** Creates the first routes of a number that becomes active. */
  createRoutes(ctx: TxCtx, numberId: number, like: RouteSource): Promise<void>;
  /**
   * Locks a number's routes until the transaction ends. Call it before locking the number's row.
   */
  lockRoutes(ctx: TxCtx, numberId: number): Promise<void>;
  /** Replaces the routes of a number in use with those of a template, if it has any. */
  applyTemplateRoutes(ctx: TxCtx, numberId: number, templateId: number): Promise<void>;
}

let routingProvider: RoutingProvider | null = null;

/**
 * Routing is loaded after numbers, which can't import it, so it registers here at startup. Its
 * functions run in the transaction that activates a number or applies a template: the next call is
 * routed even if the job queue is behind.
 */
export function registerRoutingProvider(provider: RoutingProvider): void {
  routingProvider = provider;
}

/** Gives a new number its routes; nothing happens in a process without routing. */
export const createRoutes: RoutingProvider['createRoutes'] = async (...asked) => {
  await routingProvider?.createRoutes(...asked);
};
/** Locks a number's routes until the transaction ends. */
export const lockRoutes: RoutingProvider['lockRoutes'] = async (...asked) => {
  await routingProvider?.lockRoutes(...asked);
};
/** Replaces a number's routes by those of a template. */
export const applyTemplateRoutes: RoutingProvider['applyTemplateRoutes'] = async (...asked) => {
  await routingProvider?.applyTemplateRoutes(...asked);
};
