/**
 * How endpoints and events are declared. The client, query keys and permission checks read these
 * records; browsers load them, so nothing here imports zod.
 */
import type { Operation } from './operation.ts';
import type { PermissionKey } from './permissions.ts';

/**
 * Where the company comes from (decisions A1 "Company context").
 * - `path`: the placeholder `companyId` (or `id` where the path is /company/{id})
 * - `given`: `company_id` or `companyId` in the query or body; without it the company of `object`,
 *   where the operation names one; otherwise 422 `company_required`
 * - `object`: the company of the object that the path names, among the caller's companies; an
 *   explicit company narrows the search
 * - `account`: the caller's own account in Caddy, which is a company of its own kind
 * - `organization`: the placeholder `organizationId` (or `id`) is an organization that the caller
 *   belongs to; the permission is theirs if they administer it
 * - `none`: concerns the person or the platform, not one company
 */
type CompanySource = 'path' | 'given' | 'object' | 'account' | 'organization' | 'none';

/**
 * Whose sessions open an endpoint: those of companies' people, those of Caddy's accounts, or both.
 * To one that isn't theirs a session is none at all, so a new endpoint is closed to Caddy.
 */
type Audience = 'companies' | 'caddy' | 'both';

/** `public`: anyone. `session`: any signed-in person. Otherwise a row of the role matrix. */
type Access = 'public' | 'session' | PermissionKey;

/** What a client needs to call an endpoint. */
interface Endpoint<P = unknown, Q = unknown, B = unknown, A = unknown, I = unknown> {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly permission: Access;
  readonly company: CompanySource;
  readonly audience: Audience;
  /** The body is sent as `multipart/form-data`. */
  readonly multipart: boolean;
  /** A 401 of this call does not sign the client out (A §4). */
  readonly skipsSessionCheck: boolean;
  /** Needs another cookie than the session's, so browsers send theirs beside a token. */
  readonly sendsCookies: boolean;
  /**
   * A dangerous act, always or with such a body. Dispatch answers `confirmation.required` unless the
   * person confirmed who they are in the last 15 minutes, and refuses keys and applications. `own`:
   * its action asks by itself, for the password or because it depends on what is stored.
   */
  readonly confirms: boolean | 'own' | ((body: unknown) => boolean);
  readonly __types?: { params: P; query: Q; body: B; answer: A; bodyIn: I };
}

/** Any endpoint, without the types of its operation. */
export type AnyEndpoint = Endpoint;
export type Params<E> = E extends Endpoint<infer P> ? P : never;
export type Query<E> = E extends Endpoint<unknown, infer Q> ? Q : never;
export type Body<E> = E extends Endpoint<unknown, unknown, infer B> ? B : never;
export type Answer<E> = E extends Endpoint<unknown, unknown, unknown, infer A> ? A : never;
export type BodyIn<E> = E extends Endpoint<unknown, unknown, unknown, unknown, infer I> ? I : never;

type Optional<K extends string, T> = unknown extends T
  ? { [k in K]?: undefined }
  : object extends T
    ? { [k in K]?: T | undefined }
    : { [k in K]: T };
/** Query keys with defaults can be left out, whatever the parsed query looks like. */
type QueryIn<T> = unknown extends T
  ? { query?: undefined }
  : { query?: { [k in keyof T]?: T[k] | null | undefined } | undefined };
/** A caller's input; parts of it can be left out. */
export type Input<E> = Optional<'params', Params<E>> &
  QueryIn<Query<E>> &
  Optional<'body', BodyIn<E>>;

/** The endpoint that an operation belongs to. */
type EndpointOf<O> =
  O extends Operation<infer P, infer Q, infer B, infer A, infer I>
    ? Endpoint<P, Q, B, A, I>
    : never;
type EndpointSpec = Pick<Endpoint, 'name' | 'method' | 'path' | 'permission' | 'company'> & {
  audience?: Audience;
  multipart?: boolean;
  skipsSessionCheck?: boolean;
  sendsCookies?: boolean;
};

/**
 * Declares an endpoint: `endpoint<typeof operations.getCall>({ … })`. It is registered by being
 * exported from its module's `endpoints.ts`; the operation has the same name in `operations.ts`.
 */
/* @__NO_SIDE_EFFECTS__ */
/** Declares an endpoint. `O` is its operation, which carries the schemas for the server. */
export function endpoint<O>(
  spec: EndpointSpec & { confirms?: true | 'own' | ((body: Body<EndpointOf<O>>) => boolean) },
): EndpointOf<O> {
  return Object.freeze({
    audience: 'companies',
    multipart: false,
    skipsSessionCheck: false,
    sendsCookies: false,
    confirms: false,
    ...spec,
  }) as unknown as EndpointOf<O>;
}

/** Whether this request must be confirmed by its person before dispatch runs it. */
export const needsConfirmation = ({ confirms }: AnyEndpoint, body: unknown): boolean =>
  typeof confirms === 'function' ? confirms(body) : confirms === true;

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
  /** The channel it is broadcast on; null: only other modules subscribe to it. */
  readonly channel: Channel | null;
  /**
   * Names of the endpoints whose cached responses the event invalidates; the client refetches
   * those.
   */
  readonly invalidates: readonly string[];
  /** What its recipients need besides the channel's permission; null: nothing. */
  readonly permission: PermissionKey | null;
  /** The recipients: people with access to the number, or one user. */
  readonly about: readonly ('numberId' | 'userId')[];
  readonly __data?: D;
}

/**
 * Declares an event: `event<typeof payloads.callEnded>({ … })`. The schema of its data has the same
 * name in `payloads.ts`.
 */
/* @__NO_SIDE_EFFECTS__ */
/** Declares an event. `channel: null` reaches other modules only, never a browser. */
export function event<S extends { _output: unknown }>(spec: {
  name: string;
  channel: Channel | null;
  permission?: PermissionKey;
  invalidates?: readonly string[];
  about?: EventKind['about'];
}): EventKind<S['_output']> {
  return Object.freeze({ permission: null, invalidates: [], about: [], ...spec });
}
export type EventData<K> = K extends EventKind<infer D> ? D : never;

/** The envelope that subscribers of a channel receive (A27). */
export interface Envelope<D = unknown> {
  event: string;
  /** A ULID; the same each time the event is sent. */
  id: string;
  at: string;
  companyId: number | null;
  seq: number;
  data: D;
}

/** What `routes.ts` returns for a paged endpoint; dispatch turns it into A1's envelope. */
export interface PageAnswer<T> {
  rows: T[];
  total: number;
  meta?: Record<string, unknown>;
}
