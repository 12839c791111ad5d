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

export interface FullInput<E> {
  params: Params<E>;
  query: Query<E>;
  body: Body<E>;
}
type Answered<E> =
  Answer<E> extends { data: (infer R)[]; links: unknown; meta: unknown }
    ? PageAnswer<R>
    : Answer<E>;
type Inside<E> = (ctx: TxCtx, input: FullInput<E>, http: Http) => Promise<Answered<E>>;
interface Outside<E> {
  outside: (ctx: Ctx, input: FullInput<E>, http: Http) => Promise<Answered<E>>;
}
interface Reading<E> {
  reading: Inside<E>;
}
export type Answerer<E = AnyEndpoint> = Inside<E> | Outside<E> | Reading<E>;

type EndpointsOf<C> = { [K in keyof C as C[K] extends AnyEndpoint ? K : never]: C[K] };
/** Every endpoint of a contract file with its verb. A missing answer does not compile. */
export type AnswersOf<C> = { [K in keyof EndpointsOf<C>]: Answerer<EndpointsOf<C>[K]> };

export interface Answers {
  readonly byName: ReadonlyMap<string, Answerer>;
}
/** Declare a module's answers: `export const answers = answering(contract, { listX: (ctx, { query }) => listX(ctx, query) })`. */
export function answering<C extends object>(contract: C, table: AnswersOf<C>): Answers {
  return {
    byName: new Map(
      Object.entries(table).map(([key, verb]) => [
        (contract as Record<string, AnyEndpoint>)[key]!.name,
        verb as Answerer,
      ]),
    ),
  };
}
/** The answers of a module that has several contract files: `together(routes, greetings.routes)`. */
export function together(...parts: readonly Answers[]): Answers {
  return { byName: new Map(parts.flatMap((p) => [...p.byName])) };
}
/** An answer that talks to strangers: it runs without a transaction and opens its own with `ctx.transaction`. */
export function outside<E>(verb: Outside<E>['outside']): Outside<E> {
  return { outside: verb };
}
/**
 * An answer that only reads, and whose statements need no common snapshot: it has no transaction around
 * it. For lists that screens ask for again and again (`Db.reading`).
 */
export function reading<E>(verb: Reading<E>['reading']): Reading<E> {
  return { reading: verb };
}
