import { z } from 'zod';
import type { PermissionKey } from './permissions.ts';
import './problem-sentences.ts';

/**
 * The contract kit: how an endpoint and an event are said aloud. OpenAPI, the typed client, query keys, the permission
 * table and the endpoint test are all derived from these records; nothing about an endpoint is written twice.
 */

/**
 * A zod schema seen only as the type it yields: endpoint types stay plain, so the type checker stays quick. It names the two
 * things of a schema that are needed and no more: comparing whole schema classes takes the compiler minutes.
 */
export interface Shape<T = unknown, I = unknown> {
  readonly _output: T;
  /** What a caller passes: fields with a default may be left out. */
  readonly _input: I;
  safeParse(value: unknown): z.ZodSafeParseResult<T>;
}

/**
 * Where the company comes from (decisions A1 "Company context").
 * - `path`: the placeholder `companyId` (or `id` where the path is /company/{id}) names it
 * - `given`: `company_id` or `companyId` in query or body; absent → that of `object`, where one is said; else 422 `company_required`
 * - `object`: the object the path's id names tells (looked up among the caller's companies); an explicit company narrows it
 * - `none`: the call is about the person or the platform, not about one company
 */
export type CompanySource = 'path' | 'given' | 'object' | 'none';

/** `public`: anyone. `session`: any signed-in person. Otherwise a row of the role matrix. */
export type Access = 'public' | 'session' | PermissionKey;

export interface Endpoint<P = unknown, Q = unknown, B = unknown, A = unknown, I = unknown> {
  readonly name: string;
  readonly module: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly permission: Access;
  readonly company: CompanySource;
  /**
   * For `company: 'object'` or `given`, and for `etagOf`: the table whose row the path parameter names, and that parameter.
   * `shared`: the table of such objects that an organization gives all its companies.
   */
  readonly object?: { table: string; param: string; shared?: string };
  readonly params: Shape<P>;
  readonly query: Shape<Q>;
  readonly body: Shape<B, I>;
  readonly answer: Shape<A>;
  /** 302: it redirects a browser, with no body. */
  readonly status: 200 | 201 | 202 | 204 | 302;
  readonly multipart: boolean;
  /** The answer is a file's bytes, of whatever type, not JSON. */
  readonly binary: boolean;
  /** The media type of a success that is not JSON, such as `text/csv`. */
  readonly contentType?: string;
  /** A paged list: the gate adds `links` and completes `meta` (A1). */
  readonly paged: boolean;
  /** A POST that only answers: what it doesn't know is named in `meta.ignored`, as a GET does. */
  readonly reads: boolean;
  /** Stable codes of refusals beyond those every endpoint shares. */
  readonly refusals: readonly string[];
  /** Named rate limits beyond the general ones; `none`: not even those. */
  readonly limit?: 'codes' | 'exports' | 'login' | 'none';
  readonly example: { params?: unknown; query?: unknown; body?: unknown; answer?: unknown };
  /** Session calls that must not trigger the client's log-out on 401 (A §4). */
  readonly skipsSessionCheck: boolean;
  /** Sets the session cookie: a browser must show that our own page asks, though nobody is signed in yet. */
  readonly opensSession: boolean;
  /** The detail endpoint whose ETag an `If-Match` on this write is compared with, under the lock of `object`'s row (or the company's). */
  readonly etagOf?: string;
  readonly __types?: { params: P; query: Q; body: B; answer: A };
}

export type AnyEndpoint = Endpoint<any, any, any, any, any>; // oxlint-disable-line no-explicit-any -- the one place where the kit forgets its parameters
export type Params<E> = E extends Endpoint<infer P, any, any, any, any> ? P : never; // oxlint-disable-line no-explicit-any
export type Query<E> = E extends Endpoint<any, infer Q, any, any, any> ? Q : never; // oxlint-disable-line no-explicit-any
export type Body<E> = E extends Endpoint<any, any, infer B, any, any> ? B : never; // oxlint-disable-line no-explicit-any
export type BodyIn<E> = E extends Endpoint<any, any, any, any, infer I> ? I : never; // oxlint-disable-line no-explicit-any
export type Answer<E> = E extends Endpoint<any, any, any, infer A, any> ? A : never; // oxlint-disable-line no-explicit-any

type Optional<K extends string, T> = unknown extends T
  ? { [k in K]?: undefined }
  : object extends T
    ? { [k in K]?: T | undefined }
    : { [k in K]: T };
/** Query keys with defaults may be left out, whatever the parsed query looks like. */
type QueryIn<T> = unknown extends T
  ? { query?: undefined }
  : { query?: { [k in keyof T]?: T[k] | null | undefined } | undefined };
/** What a caller passes: absent parts may be left out. */
export type Input<E> = Optional<'params', Params<E>> &
  QueryIn<Query<E>> &
  Optional<'body', BodyIn<E>>;

interface EndpointSpec<P, Q, B, A, I> {
  name: string;
  method: Endpoint['method'];
  path: string;
  summary: string;
  permission: Access;
  company: CompanySource;
  object?: { table: string; param: string; shared?: string };
  params?: Shape<P>;
  query?: Shape<Q>;
  body?: Shape<B, I>;
  answer: Shape<A>;
  status?: Endpoint['status'];
  multipart?: boolean;
  binary?: boolean;
  contentType?: string;
  paged?: boolean;
  reads?: boolean;
  refusals?: readonly string[];
  limit?: NonNullable<Endpoint['limit']>;
  example?: Endpoint['example'];
  skipsSessionCheck?: boolean;
  opensSession?: boolean;
  etagOf?: string;
}

const anyShape = z.unknown();

/** Say an endpoint. Returned frozen; registered by being exported from a contract file. */
export function endpoint<P = unknown, Q = unknown, B = unknown, A = unknown, I = unknown>(
  spec: EndpointSpec<P, Q, B, A, I>,
): Endpoint<P, Q, B, A, I> {
  return Object.freeze({
    module: '',
    status: 200 as const,
    multipart: false,
    binary: false,
    paged: false,
    reads: false,
    refusals: [],
    example: {},
    skipsSessionCheck: false,
    opensSession: false,
    ...spec,
    params: spec.params ?? (anyShape as unknown as Shape<P>),
    query: spec.query ?? (anyShape as unknown as Shape<Q>),
    body: spec.body ?? (anyShape as unknown as Shape<B, I>),
  });
}

/** The six private channels of A27. `users` is keyed by user, `caddy` by account, the others by company. */
export type Channel =
  | 'conversations'
  | 'bulk-purchase'
  | 'companies'
  | 'caddy'
  | 'campaigns'
  | 'users';

export interface EventKind<D = unknown> {
  readonly name: string;
  /** The channel it is broadcast on; null = heard by other modules only. */
  readonly channel: Channel | null;
  readonly data: Shape<D>;
  /** Endpoints whose cached answers this event makes stale; the client refetches those. */
  readonly touches: readonly string[];
  /** Which persons may hear it: the number it is about (users limited to other numbers do not), or one user. */
  readonly about: readonly ('numberId' | 'userId')[];
  readonly __data?: D;
}

export function event<D>(spec: {
  name: string;
  channel: Channel | null;
  data: Shape<D>;
  touches?: readonly string[];
  about?: EventKind['about'];
}): EventKind<D> {
  return Object.freeze({ touches: [], about: [], ...spec });
}
export type EventData<K> = K extends EventKind<infer D> ? D : never;

/** The envelope on the wire (A27). */
export interface Envelope<D = unknown> {
  event: string;
  /** A ULID; the same however often the event is told. */
  id: string;
  at: string;
  companyId: number | null;
  seq: number;
  data: D;
}

// ---- shared shapes -------------------------------------------------------------------------------------------------

export const id = z.coerce
  .number<number>()
  .int()
  .positive()
  .max(Number.MAX_SAFE_INTEGER)
  .meta({ description: 'Positive integer below 2^53' });
export const instant = z.string().meta({ format: 'date-time', description: 'ISO-8601 UTC with Z' });
/** A flag on a query string or in a multipart body: 1, 0, true, false. */
export const flag = z.preprocess<
  unknown,
  z.ZodBoolean,
  boolean | 0 | 1 | '0' | '1' | 'true' | 'false' | ''
>(
  (v) =>
    v === '1' || v === 'true' || v === 1
      ? true
      : v === '0' || v === 'false' || v === 0 || v === ''
        ? false
        : v,
  z.boolean(),
);

/** Body of one object: `{ data: … }`. */
export const one = <T>(shape: z.ZodType<T>) => z.object({ data: shape });
/** Body of a paged list (A1). The gate fills `links` and the rest of `meta`. */
export const pageOf = <T>(row: z.ZodType<T>) =>
  z.object({
    data: z.array(row),
    links: z.object({
      first: z.string().nullable(),
      last: z.string().nullable(),
      prev: z.string().nullable(),
      next: z.string().nullable(),
    }),
    meta: z.looseObject({
      current_page: z.number(),
      from: z.number().nullable(),
      last_page: z.number(),
      path: z.string(),
      per_page: z.number(),
      to: z.number().nullable(),
      total: z.number(),
      ignored: z.array(z.string()).optional(),
    }),
  });
export const empty = z.undefined().or(z.null()) as unknown as Shape<void>;
export const companyIn = { companyId: id.optional(), company_id: id.optional() };

/**
 * What an answer may be asked to include: words with commas between them, or a list. An endpoint that has
 * none of it in its query or body refuses `include` (A1).
 */
export const including = (...allowed: string[]) =>
  z
    .preprocess(
      (v) =>
        typeof v === 'string'
          ? v
              .split(',')
              .map((word) => word.trim())
              .filter(Boolean)
          : v,
      z
        .array(z.string())
        .refine((wanted) => wanted.every((one) => allowed.includes(one)), onlyThese(allowed))
        .optional(),
    )
    .meta({ description: `${allowed.join(', ')}; always included` });
const onlyThese = (words: readonly string[]): string => {
  const last = words.at(-1)!;
  return words.length === 1
    ? `Only ${last} can be included.`
    : `Only ${words.slice(0, -1).join(', ')} and ${last} can be included.`;
};

/** The fields that a list can be sorted by; any other is refused. A list without it has one order, and names `sort` as ignored. */
export const sortBy = <const T extends readonly [string, ...string[]]>(...fields: T) =>
  z.enum(fields, `Sort by one of ${fields.join(', ')}.`).optional();

/** Paging, sorting and including as A1 has them. `perPage`, `per_page` and `size` mean the same. */
export function listQuery<S extends z.ZodRawShape>(
  more: S,
  defaults: { perPage: number; max?: number },
) {
  const size = z.coerce
    .number<number>()
    .int()
    .min(1)
    .transform((n) => Math.min(n, defaults.max ?? 250));
  return z
    .object({
      page: z.coerce.number<number>().int().min(1).max(1_000_000).default(1),
      perPage: size.optional(),
      per_page: size.optional(),
      size: size.optional(),
      dir: z.enum(['asc', 'desc']).optional(),
      strict: flag.optional(),
      /** Keyset cursor of the previous answer's `meta.next_cursor`; quicker than `page` on long lists. */
      cursor: z.string().max(400).optional(),
      ...companyIn,
      ...more,
    })
    .transform((q) => {
      const said = q as { perPage?: number; per_page?: number; size?: number };
      return { ...q, perPage: said.perPage ?? said.per_page ?? said.size ?? defaults.perPage };
    });
}

/** What a routes.ts returns for a paged endpoint; the gate turns it into A1's envelope. */
export interface PageAnswer<T> {
  rows: T[];
  total: number;
  meta?: Record<string, unknown>;
}
