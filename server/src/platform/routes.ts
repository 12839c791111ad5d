import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint, Answer, Body, PageAnswer, Params, Query } from '#contract';
import type { Ctx, TxCtx } from './context.ts';

/** An uploaded file within its size limit, on disk until its request has been answered. */
export interface Upload {
  field: string;
  name: string;
  contentType: string;
  /** In bytes. */
  size: number;
  /** Reads the file into memory. */
  bytes(): Promise<Buffer>;
}
/**
 * The raw HTTP request and reply, for the few handlers that need them (cookies, redirects,
 * uploads).
 */
export interface Http {
  request: FastifyRequest;
  reply: FastifyReply;
  files: readonly Upload[];
  ip: string;
}

export interface HandlerInput<E> {
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
}
type HandlerResult<E> =
  Answer<E> extends { data: (infer R)[]; links: unknown; meta: unknown }
    ? PageAnswer<R>
    : Answer<E>;
type TransactionHandler<E> = (
  ctx: TxCtx,
  input: HandlerInput<E>,
  http: Http,
) => Promise<HandlerResult<E>>;
interface WithoutTransaction<E> {
  withoutTransaction: (ctx: Ctx, input: HandlerInput<E>, http: Http) => Promise<HandlerResult<E>>;
}
interface ReadOnly<E> {
  readOnly: TransactionHandler<E>;
}
export type Handler<E = AnyEndpoint> = TransactionHandler<E> | WithoutTransaction<E> | ReadOnly<E>;

type EndpointsOf<C> = { [K in keyof C as C[K] extends AnyEndpoint ? K : never]: C[K] };
/** A handler for every endpoint of a contract file; a missing one does not compile. */
type HandlersOf<C> = { [K in keyof EndpointsOf<C>]: Handler<EndpointsOf<C>[K]> };

export interface Routes {
  readonly byName: ReadonlyMap<string, Handler>;
}
/** Declares the handlers of a module's contract. */
export function defineRoutes<C extends object>(contract: C, table: HandlersOf<C>): Routes {
  return {
    byName: new Map(
      Object.entries(table).map(([key, handler]) => [
        (contract as Record<string, AnyEndpoint>)[key]!.name, // `table` has the contract's keys.
        handler as Handler,
      ]),
    ),
  };
}
/**
 * Merges the routes of a module that has several contract files: `mergeRoutes(routes,
 * greetings.routes)`.
 */
export function mergeRoutes(...parts: readonly Routes[]): Routes {
  return { byName: new Map(parts.flatMap((p) => [...p.byName])) };
}
/**
 * A handler that calls third parties: it runs without a transaction and opens its own with
 * `ctx.transaction`.
 */
export function withoutTransaction<E>(
  handler: WithoutTransaction<E>['withoutTransaction'],
): WithoutTransaction<E> {
  return { withoutTransaction: handler };
}
/**
 * A handler that only reads and needs no common snapshot: it runs without a transaction. For lists
 * that screens reload often (`Db.readOnly`).
 */
export function readOnly<E>(handler: ReadOnly<E>['readOnly']): ReadOnly<E> {
  return { readOnly: handler };
}
