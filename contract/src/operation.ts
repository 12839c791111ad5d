import { z } from 'zod';
import './problem-sentences.ts';

/**
 * A zod schema, reduced to its input and output types. It has only the members we use: comparing
 * whole schema classes takes the compiler minutes.
 */
export interface Shape<T = unknown, I = unknown> {
  readonly _output: T;
  /** A caller's input; fields with a default can be left out. */
  readonly _input: I;
  safeParse(value: unknown): z.ZodSafeParseResult<T>;
}

/**
 * The schemas, errors and examples of an endpoint, for the server, the OpenAPI document and tests.
 * Separate from `Endpoint`, so that browsers load no schemas.
 */
export interface Operation<P = unknown, Q = unknown, B = unknown, A = unknown, I = unknown> {
  readonly summary: string;
  /**
   * For `company: 'object'` or `given`, and for `etagOf`: the table of the row that the path
   * parameter names, and that parameter. `shared`: the table of such objects that an organization
   * shares with all its companies.
   */
  readonly object?: { table: string; param: string; shared?: string };
  readonly params: Shape<P>;
  readonly query: Shape<Q>;
  readonly body: Shape<B, I>;
  readonly answer: Shape<A>;
  /** 302: redirects the browser, without a body. */
  readonly status: 200 | 201 | 202 | 204 | 302;
  /** The response is a file of any type, not JSON. */
  readonly binary: boolean;
  /** The media type of a success that is not JSON, such as `text/csv`. */
  readonly contentType?: string;
  /** A paged list: dispatch adds `links` and completes `meta` (A1). */
  readonly paged: boolean;
  /** A POST that changes nothing: unknown fields are listed in `meta.ignored`, as for a GET. */
  readonly reads: boolean;
  /** Stable error codes beyond those that every endpoint shares. */
  readonly errors: readonly string[];
  /** A named rate limit in addition to the general ones; `none`: no limit at all. */
  readonly limit?: 'codes' | 'exports' | 'login' | 'pages' | 'visits' | 'none';
  /**
   * What it competes with for the server (`lanes.ts`); by default reads with reads and changes with
   * changes. `calls`: somebody hears the call. `figures`: sums that may wait for all others. `reports`:
   * it reads much.
   */
  readonly lane?: 'calls' | 'figures' | 'reports';
  readonly example: { params?: unknown; query?: unknown; body?: unknown; answer?: unknown };
  /** Sets the session cookie: browsers must send the XSRF header although no one is signed in. */
  readonly opensSession: boolean;
  /**
   * The detail endpoint whose ETag is compared with this write's `If-Match`, while the row of
   * `object` (or the company) is locked.
   */
  readonly etagOf?: string;
}

type Optional = 'params' | 'query' | 'body' | 'status' | 'example' | 'errors';
type Flag = 'binary' | 'paged' | 'reads' | 'opensSession';
type OperationSpec<P, Q, B, A, I> = Omit<Operation<P, Q, B, A, I>, Optional | Flag> &
  Partial<Pick<Operation<P, Q, B, A, I>, Optional | Flag>>;

/** Any operation, without its types. */
export type AnyOperation = Operation;

const anyShape = z.unknown();

/** Describes an endpoint's request and response; exported under the endpoint's own name. */
export function operation<P = unknown, Q = unknown, B = unknown, A = unknown, I = unknown>(
  spec: OperationSpec<P, Q, B, A, I>,
): Operation<P, Q, B, A, I> {
  return Object.freeze({
    status: 200 as const,
    binary: false,
    paged: false,
    reads: false,
    errors: [],
    example: {},
    opensSession: false,
    ...spec,
    params: spec.params ?? (anyShape as unknown as Shape<P>),
    query: spec.query ?? (anyShape as unknown as Shape<Q>),
    body: spec.body ?? (anyShape as unknown as Shape<B, I>),
  });
}
