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
  /** Read it into memory. */
  bytes(): Promise<Buffer>;
}
/** The few answers that touch HTTP itself (cookies, redirects, uploads) get this. */
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
/** Every endpoint of a contract file with its verb. A missing answer does not compile. */
export type HandlersOf<C> = { [K in keyof EndpointsOf<C>]: Handler<EndpointsOf<C>[K]> };

export interface Routes {
  readonly byName: ReadonlyMap<string, Handler>;
}
/** Declare a module's answers: `export const answers = answering(contract, { listX: (ctx, { query }) => listX(ctx, query) })`. */
export function defineRoutes<C extends object>(contract: C, table: HandlersOf<C>): Routes {
  return {
    byName: new Map(
      Object.entries(table).map(([key, handler]) => [
        (contract as Record<string, AnyEndpoint>)[key]!.name,
        handler as Handler,
      ]),
    ),
  };
}
/** The answers of a module that has several contract files: `together(routes, greetings.routes)`. */
export function mergeRoutes(...parts: readonly Routes[]): Routes {
  return { byName: new Map(parts.flatMap((p) => [...p.byName])) };
}
/** An answer that talks to strangers: it runs without a transaction and opens its own with `ctx.transaction`. */
export function withoutTransaction<E>(
  handler: WithoutTransaction<E>['withoutTransaction'],
): WithoutTransaction<E> {
  return { withoutTransaction: handler };
}
/**
 * An answer that only reads, and whose statements need no common snapshot: it has no transaction around
 * it. For lists that screens ask for again and again (`Db.reading`).
 */
export function readOnly<E>(handler: ReadOnly<E>['readOnly']): ReadOnly<E> {
  return { readOnly: handler };
}
