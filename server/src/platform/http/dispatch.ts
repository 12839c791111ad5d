import { createHash, randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { sql } from 'kysely';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DescribedEndpoint, Grant, PageAnswer } from '#contract';
import { endpoints, grantOf, permissionKeys, sentences } from '#contract';
import { fieldErrors } from '#contract/problem-sentences';
import { knownKeys, onlyReads, unknownField, unknownIn } from '#contract/unknown-fields';
import type { Handler, Routes, HandlerInput, Http } from '../routes.ts';
import type { BodyReader, MultipartForm } from './request-bodies.ts';
import {
  createCtx,
  type Actor,
  type Ctx,
  type Services,
  type OutboxNotifier,
  type TxCtx,
} from '../context.ts';
import { ApiError, invalid, knownError, notFound, problemBody, fail } from '../errors.ts';
import { madeWithOneOf, seal, sign, unseal } from '../secrets.ts';
import { parseId, unsafeJsonReason } from './request-fields.ts';

/** What the gate needs from the product: who is this request? null = nobody. Wrong or revoked credentials also answer null. */
export interface Authenticator {
  authenticate(request: FastifyRequest): Promise<{ actor: Actor; by: 'cookie' | 'bearer' } | null>;
  /** True when the request proves it came from our own pages (XSRF header equals the signed cookie). */
  hasValidXsrf(request: FastifyRequest): boolean;
  /** Refuses a request that would set a session cookie for a page of somebody else's. */
  checkSignInOrigin(request: FastifyRequest): void;
}
/** Counts requests; answers the seconds to wait when a limit is passed. */
export interface RateLimiter {
  consume(
    request: FastifyRequest,
    reply: FastifyReply,
    who: { userId: number; companyId: number },
    endpoint: DescribedEndpoint,
  ): Promise<void>;
  /** Of the company alone, where it was not known yet when the person was counted. */
  consumeCompany(
    request: FastifyRequest,
    reply: FastifyReply,
    companyId: number,
    endpoint: DescribedEndpoint,
  ): Promise<void>;
}

type Authentication = Awaited<ReturnType<Authenticator['authenticate']>>;
/** What anybody may send without being signed in is small. */
const PUBLIC_BODY_BYTES = 64 * 1024;

/**
 * Put every answered endpoint on the server. Refuses to start when an endpoint has no known permission, or an answer
 * belongs to no endpoint.
 */
export function registerRoutes(
  app: FastifyInstance,
  services: Services,
  authenticator: Authenticator,
  rateLimiter: RateLimiter,
  bodies: BodyReader,
  notifier: OutboxNotifier,
  routes: readonly Routes[],
) {
  const authentications = new WeakMap<FastifyRequest, Authentication>();
  const allHandlers = new Map(routes.flatMap((a) => [...a.byName]));
  const unusedHandlers = new Map(allHandlers);
  for (const e of endpoints) {
    if (
      e.permission !== 'public' &&
      e.permission !== 'session' &&
      !permissionKeys.includes(e.permission)
    )
      throw new Error(`${e.name} declares no known permission`);
    const handler = unusedHandlers.get(e.name);
    if (!handler) throw new Error(`${e.name} has no route`);
    app.route({
      method: e.method,
      url: `/api${e.path.replace(/\{(\w+)\}/g, ':$1')}`,
      exposeHeadRoute: e.method === 'GET',
      ...(e.permission === 'public' ? { bodyLimit: PUBLIC_BODY_BYTES } : {}),
      onRequest: (request, reply) =>
        authenticate(
          e.permission === 'public',
          e.method !== 'GET' || e.path === '/sanctum/logout',
          request,
          reply,
        ),
      // Recordings and pictures are compressed already, and players ask for parts of them.
      ...(e.binary && { compress: false }),
      handler: (request, reply) => handle(e, handler, request, reply),
    });
    unusedHandlers.delete(e.name);
    if (e.etagOf && typeof allHandlers.get(e.etagOf) !== 'function')
      throw new Error(
        `${e.name} compares with ${e.etagOf}, which does not answer within a transaction`,
      );
  }
  registerMethodOverrides();
  if (unusedHandlers.size)
    throw new Error(`routes without an endpoint: ${[...unusedHandlers.keys()].join(', ')}`);

  /** POST with `_method` PUT, PATCH or DELETE (A1), wherever the path has no POST of its own. */
  function registerMethodOverrides() {
    const byPath = new Map<string, DescribedEndpoint[]>();
    for (const e of endpoints) byPath.set(e.path, [...(byPath.get(e.path) ?? []), e]);
    for (const [path, siblings] of byPath) {
      if (siblings.some((e) => e.method === 'POST') || !siblings.some((e) => e.method !== 'GET'))
        continue;
      // What a form asks for stands in its body, which is read only for somebody who may send it: one endpoint can be meant.
      const forms = siblings.filter((e) => e.multipart);
      if (forms.length > 1)
        throw new Error(`${path} takes forms by more than one method and has no POST`);
      app.route({
        method: 'POST',
        url: `/api${path.replace(/\{(\w+)\}/g, ':$1')}`,
        onRequest: (request, reply) =>
          authenticate(
            siblings.every((e) => e.permission === 'public'),
            true,
            request,
            reply,
          ),
        handler: async (request, reply) => {
          const wanted = methodOverride(request.query) ?? methodOverride(request.body);
          const endpoint =
            request.isMultipart() && wanted === null
              ? (forms[0] ?? fail('form.not_taken'))
              : (siblings.find((e) => e.method === wanted) ?? notFound());
          return handle(endpoint, allHandlers.get(endpoint.name)!, request, reply, wanted === null);
        },
      });
    }
  }

  /** Who asks, before anything of the body is read. */
  async function authenticate(
    isPublic: boolean,
    writes: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const found = await authenticator.authenticate(request);
    if (!isPublic && !found) return unauthenticated(reply, request);
    if (found?.by === 'cookie' && writes && !authenticator.hasValidXsrf(request))
      fail('csrf_mismatch');
    authentications.set(request, found);
  }

  /** @param overridden the method stands in the form's body, and must be this endpoint's */
  async function handle(
    e: DescribedEndpoint,
    handler: Handler,
    request: FastifyRequest,
    reply: FastifyReply,
    overridden = false,
  ) {
    if (e.opensSession) authenticator.checkSignInOrigin(request);
    const actor = authentications.get(request)?.actor ?? anonymousActor;
    if (e.permission !== 'public' && !actor.userId) return unauthenticated(reply, request);
    const params = parse(e.params, request.params, true) as Record<string, unknown>;
    const rawQuery = requirePlainJson(request.query ?? {}, 'query') as Record<string, unknown>;
    if (!request.isMultipart()) {
      const tenant = await resolveTenant(
        e,
        actor,
        params,
        rawQuery,
        requirePlainJson(request.body, 'body'),
      );
      await rateLimiter.consume(
        request,
        reply,
        { userId: actor.userId, companyId: tenant.companyId },
        e,
      );
      return runHandler(e, handler, request, reply, {
        actor,
        params,
        rawQuery,
        place: tenant,
        body: request.body,
        files: [],
      });
    }
    if (!e.multipart) fail('form.not_taken');
    // A form may name its company among its fields. It is read then for somebody who may do this in some company at least.
    const companyKnown = e.company !== 'given' || requestedCompany(rawQuery, undefined) > 0;
    const before = companyKnown ? await resolveTenant(e, actor, params, rawQuery, undefined) : null;
    if (!before && !grantInAnyCompany(e, actor)) fail('role.forbidden');
    await rateLimiter.consume(
      request,
      reply,
      { userId: actor.userId, companyId: before?.companyId ?? 0 },
      e,
    );
    const form = await bodies.readForm(request);
    try {
      requirePlainJson(form.fields, 'body');
      if (overridden && methodOverride(form.fields) !== e.method) notFound();
      const tenant = before ?? (await resolveTenant(e, actor, params, rawQuery, form.fields));
      const value = requestedCompany(undefined, form.fields);
      if (e.company === 'object' && value && value !== tenant.companyId) notFound();
      if (!before) await rateLimiter.consumeCompany(request, reply, tenant.companyId, e);
      return await runHandler(e, handler, request, reply, {
        actor,
        params,
        rawQuery,
        place: tenant,
        body: form.fields,
        files: form.files,
      });
    } finally {
      await form.remove();
    }
  }

  interface ParsedRequest {
    actor: Actor;
    params: Record<string, unknown>;
    rawQuery: Record<string, unknown>;
    place: Awaited<ReturnType<typeof resolveTenant>>;
    body: unknown;
    files: MultipartForm['files'];
  }

  async function runHandler(
    e: DescribedEndpoint,
    handler: Handler,
    request: FastifyRequest,
    reply: FastifyReply,
    { actor, params, rawQuery, place: tenant, body: sent, files }: ParsedRequest,
  ) {
    const { companyId, role, grant, numbers } = tenant;
    const http: Http = { request, reply, files, ip: request.ip };
    const unknown = unknownIn(e, { query: rawQuery, body: sent, params });
    const strict =
      !onlyReads(e) ||
      [rawQuery['strict'], field(sent, 'strict')].some(
        (value) => value === true || value === 1 || value === '1' || value === 'true',
      );
    const ignored = new Set<string>();
    // Said once: the same sentence for what the contract doesn't know, and what a verb finds unknown.
    const ignore = (path: readonly string[]) =>
      strict
        ? invalid({ [path.join('.')]: unknownField(e, path) })
        : void ignored.add(path.join('.'));
    const ctx = createCtx(
      services,
      { companyId, actor, role, grant, numbers, requestId: request.id, onUnknownField: ignore },
      notifier,
    );
    const refused = strict
      ? await changedUnknownFields(e, ctx, params, rawQuery, sent, unknown, http)
      : [];
    // What an answer shall include is never left out without a refusal (A1).
    const include = strict ? [] : unknown.filter(([key]) => key === 'include');
    if (!strict) unknown.filter((path) => !include.includes(path)).forEach(ignore);
    const input = {
      params,
      ...parseInput(
        e,
        rawQuery,
        sent ?? {},
        Object.fromEntries(
          [...refused, ...include].map((path) => [path.join('.'), unknownField(e, path)]),
        ),
      ),
    };

    const guardedHandler = withIfMatch(e, handler, request, rawQuery);
    const result = await withIdempotency(
      e,
      ctx,
      actor,
      request,
      reply,
      guardedHandler,
      input,
      http,
    );
    if (reply.sent) return reply;
    if (e.status === 204) return reply.code(204).send();
    const body = e.paged
      ? pageEnvelope(
          result as PageAnswer<unknown>,
          request,
          (e.method === 'POST' ? input.body : input.query) as { page: number; perPage: number },
        )
      : result;
    if (!services.settings.production) checkResponse(e, body);
    if (e.method === 'GET' && !e.paged) {
      const tag = etag(body);
      void reply.header('etag', tag);
      if (request.headers['if-none-match'] === tag && !JSON.stringify(body).includes(signedFileUrl))
        return reply.code(304).send();
    }
    return reply
      .code(reply.statusCode === 200 ? e.status : reply.statusCode)
      .send(ignored.size ? withIgnoredFields(body, [...ignored]) : body);
  }

  /**
   * Of what a write doesn't know, that which its object doesn't show either, or shows otherwise: whoever
   * reads an object, changes a field and writes all of it back may.
   */
  async function changedUnknownFields(
    e: DescribedEndpoint,
    ctx: Ctx,
    params: unknown,
    rawQuery: Record<string, unknown>,
    sent: unknown,
    unknown: string[][],
    http: Http,
  ) {
    const detail = endpoints.find((one) => one.name === e.etagOf);
    const read = detail && allHandlers.get(detail.name);
    if (!unknown.length || typeof read !== 'function') return unknown;
    // Whose it is may stand in the body (a person's hours): the object is read as that one's.
    const which = Object.fromEntries(
      [...(knownKeys(detail!.query as never) ?? [])]
        .map((key) => [key, rawQuery[key] ?? field(sent, key)])
        .filter(([, v]) => v !== undefined && v !== null),
    );
    const shown = await ctx.transaction((t) =>
      read(t, { params, query: parse(detail!.query, { ...rawQuery, ...which }), body: {} }, http),
    );
    const text = (value: unknown) => JSON.stringify(value ?? null, withoutSignature);
    const asShown = ([key, ...within]: string[]) =>
      !within.length &&
      Object.hasOwn(Object(field(shown, 'data')), key!) &&
      text(field(field(shown, 'data'), key!)) === text(field(sent, key!));
    return unknown.filter((path) => !asShown(path));
  }

  /** The company acted in, and what the role may do there. Foreign and missing are one answer. */
  async function resolveTenant(
    e: DescribedEndpoint,
    actor: Actor,
    params: Record<string, unknown>,
    query: Record<string, unknown>,
    body: unknown,
  ) {
    const given = requestedCompany(query, body);
    let companyId = 0;
    if (e.company === 'path') companyId = Number(params['companyId'] ?? params['id']);
    else if (e.company === 'given') {
      companyId =
        given ||
        (e.object ? await companyOfObject(e, actor, params[e.object.param], 0) : 0) ||
        (actor.kind === 'key' && actor.memberships.length === 1
          ? actor.memberships[0]!.companyId
          : 0);
      if (!companyId) fail('company_required');
    } else if (e.company === 'object') {
      // The object's id stands in the path, or (POST /v1/calls/token) in the query or body.
      const key = e.object?.param ?? 'id';
      companyId =
        (await companyOfObject(
          e,
          actor,
          params[key] ?? parseId(query[key] ?? field(body, key)),
          given,
        )) || fail('company_required');
    } else if (e.permission !== 'public' && e.permission !== 'session') {
      // About no company, yet a row of the matrix (POST /companies): any membership that grants it is enough.
      const best = grantInAnyCompany(e, actor) ?? fail('role.forbidden');
      return {
        companyId: 0,
        role: actor.memberships[0]?.role ?? ('platform' as const),
        grant: best,
        numbers: null,
      };
    }
    if (!companyId)
      return { companyId: 0, role: 'user' as const, grant: 'all' as Grant, numbers: null };
    const membership = actor.memberships.find((m) => m.companyId === companyId);
    if (actor.staff && actor.adminMode && !membership)
      return { companyId, role: 'platform' as const, grant: 'all' as Grant, numbers: null };
    if (!membership) {
      if (e.permission === 'public')
        return { companyId, role: 'user' as const, grant: 'none' as Grant, numbers: null };
      notFound();
    }
    const role = actor.adminMode && actor.staff ? ('platform' as const) : membership!.role;
    const grant =
      e.permission === 'public' || e.permission === 'session'
        ? ('all' as Grant)
        : grantOf(role, e.permission, membership!.switches);
    if (grant === 'none') fail('role.forbidden');
    const scoped =
      grantOf(role, 'inbox.view', membership!.switches) === 'assigned' || grant === 'assigned';
    return {
      companyId,
      role,
      grant,
      numbers: scoped && membership!.numberIds.length ? membership!.numberIds : null,
    };
  }

  /** The company whose object this is, among the actor's. 0: it is shared by several of them, so which one is meant must be said. */
  async function companyOfObject(
    e: DescribedEndpoint,
    actor: Actor,
    value: unknown,
    given: number,
  ): Promise<number> {
    // A text is a UUID, and came through the path's schema: nothing else is compared with a column as it was sent.
    const id = typeof value === 'string' ? value : parseId(value);
    if (!e.object || !id) notFound();
    const mine = actor.memberships.map((m) => m.companyId).filter((c) => !given || c === given);
    const allCompanies = actor.staff && actor.adminMode;
    if (!mine.length && !allCompanies) notFound();
    const where = allCompanies ? sql`true` : sql`company_id = any(${mine}::bigint[])`;
    const { rows } = await sql<{
      company_id: number;
    }>`select company_id from ${sql.table(e.object!.table)} where ${where} and id = ${id} limit 1`.execute(
      services.db.unscoped,
    );
    if (rows.length || !e.object!.shared) return rows[0]?.company_id ?? notFound();
    const among = allCompanies ? sql`true` : sql`c.id = any(${mine}::bigint[])`;
    const shared = await sql<{
      company_id: number;
    }>`select c.id company_id from ${sql.table(e.object!.shared)} s join company c on c.organization_id = s.organization_id where ${among} and s.id = ${id} limit 2`.execute(
      services.db.unscoped,
    );
    return shared.rows.length > 1 ? 0 : (shared.rows[0]?.company_id ?? notFound());
  }

  /** Idempotency-Key (A1): same key and body → the first answer; other body → 422; still running → 409. */
  async function withIdempotency(
    e: DescribedEndpoint,
    ctx: Ctx,
    actor: Actor,
    request: FastifyRequest,
    reply: FastifyReply,
    handler: Handler,
    input: HandlerInput<DescribedEndpoint>,
    http: Http,
  ) {
    if ('readOnly' in handler) return ctx.readOnly((t) => handler.readOnly(t, input, http));
    const run = (c: Ctx) =>
      typeof handler === 'function'
        ? c.transaction((t) => handler(t, input, http))
        : handler.withoutTransaction(c, input, http);
    const key = request.headers['idempotency-key'];
    if (e.method !== 'POST' || typeof key !== 'string' || !key || actor.userId === 0)
      return run(ctx);
    const { appSecrets } = services.settings;
    const mine = { company_id: ctx.companyId, person_id: actor.userId, key: key.slice(0, 200) };
    // Keyed, so that what was sent (a password, perhaps) cannot be guessed from its fingerprint.
    const fingerprintBy = (secret: Buffer) =>
      sign(secret, JSON.stringify([e.name, input, http.files.map((f) => [f.name, f.size])]));
    const fingerprint = fingerprintBy(appSecrets[0]);
    const replay = (seen: {
      fingerprint: string;
      status: number | null;
      body_sealed: string | null;
    }) => {
      if (!madeWithOneOf(appSecrets, seen.fingerprint, fingerprintBy)) fail('idempotency.mismatch');
      if (seen.status === null || seen.body_sealed === null) fail('idempotency.running');
      void reply.header('idempotency-replayed', 'true').code(seen.status);
      return JSON.parse(unseal(appSecrets, seen.body_sealed)) as unknown;
    };
    const readStored = (t: TxCtx) =>
      t.tx
        .selectFrom('idempotency_key')
        .selectAll()
        .where('company_id', '=', mine.company_id)
        .where('person_id', '=', mine.person_id)
        .where('key', '=', mine.key)
        .where('at', '>', new Date(ctx.now.getTime() - 86_400_000))
        .executeTakeFirst();
    const store = (t: TxCtx, answer: { status: number | null; body_sealed: string | null }) =>
      t.tx
        .insertInto('idempotency_key')
        .values({ ...mine, fingerprint, ...answer, at: ctx.now })
        .onConflict((c) =>
          c
            .columns(['company_id', 'person_id', 'key'])
            .doUpdateSet({ fingerprint, ...answer, at: ctx.now }),
        )
        .execute();
    /** A verb may have acted in another company within its transaction: a buyer's in the lister's. The answer is the caller's. */
    const storeResponse = async (t: TxCtx, result: unknown) => {
      await sql`select set_config('app.company_id', ${mine.company_id ? String(mine.company_id) : ''}, true)`.execute(
        t.tx,
      );
      await store(t, responseRow(result));
    };
    // Sealed, because an answer may hold tokens.
    const responseRow = (result: unknown) => ({
      status: reply.statusCode === 200 ? e.status : reply.statusCode,
      body_sealed: seal(appSecrets, JSON.stringify(result ?? null)),
    });
    const lock = async (t: TxCtx) => {
      const { rows } = await sql<{
        got: boolean;
      }>`select pg_try_advisory_xact_lock(hashtextextended(${`${mine.person_id}:${mine.company_id}:${mine.key}`}, 7)) got`.execute(
        t.tx,
      );
      if (!rows[0]!.got) fail('idempotency.running');
    };
    if (typeof handler === 'function') {
      return ctx.transaction(async (t) => {
        await lock(t);
        const seen = await readStored(t);
        if (seen) return replay(seen);
        const result = await handler(t, input, http);
        await storeResponse(t, result);
        return result;
      });
    }
    // An answer that talks to strangers holds no transaction meanwhile: the key is marked as running first. A mark older
    // than 20 seconds belonged to a process that died; the verb's own key at the stranger keeps it from happening twice.
    const seen = await ctx.transaction(async (t) => {
      await lock(t);
      const found = await readStored(t);
      if (
        found &&
        !(
          found.status === null &&
          found.fingerprint === fingerprint &&
          found.at.getTime() < ctx.now.getTime() - 20_000
        )
      )
        return found;
      await store(t, { status: null, body_sealed: null });
      return null;
    });
    if (seen) return replay(seen);
    // The transaction that makes the answer also keeps it: a process that dies before answering is not asked to do it twice.
    const storingCtx: Ctx = {
      ...ctx,
      transaction: (work) =>
        ctx.transaction(async (t) => {
          const result = await work(t);
          if (typeof result === 'object' && result !== null && 'data' in result)
            await storeResponse(t, result);
          return result;
        }),
    };
    try {
      const result = await run(storingCtx);
      await ctx.transaction((t) => store(t, responseRow(result)));
      return result;
    } catch (error) {
      await ctx
        .transaction((t) =>
          t.tx
            .deleteFrom('idempotency_key')
            .where('company_id', '=', mine.company_id)
            .where('person_id', '=', mine.person_id)
            .where('key', '=', mine.key)
            .where('status', 'is', null)
            .execute(),
        )
        .catch(() => {});
      throw error;
    }
  }

  /**
   * A write with `If-Match` happens only while its detail call would still answer that ETag. The row is locked first, in
   * the transaction that writes, so of several writers with one ETag exactly one wins.
   */
  function withIfMatch(
    e: DescribedEndpoint,
    handler: Handler,
    request: FastifyRequest,
    rawQuery: unknown,
  ): Handler {
    const header = request.headers['if-match'];
    if (!header || !e.etagOf || header.trim() === '*' || 'readOnly' in handler) return handler;
    const wanted = header.split(/,\s*(?=W\/"|")/).map((tag) => tag.trim());
    const detail = endpoints.find((one) => one.name === e.etagOf)!;
    const read = allHandlers.get(e.etagOf) as Extract<Handler, (...all: never[]) => unknown>;
    const unchanged = async (t: TxCtx, input: { params: unknown }, http: Http) => {
      const detailInput = { params: input.params, query: parse(detail.query, rawQuery), body: {} };
      return wanted.includes(etag(await read(t, detailInput, http)));
    };
    const requireUnchanged = async (t: TxCtx, input: { params: unknown }, http: Http) => {
      await lockRow(e, t, input.params as Record<string, unknown>);
      if (!(await unchanged(t, input, http))) fail('precondition_failed');
    };
    if (typeof handler === 'function')
      return async (t, input, http) => {
        await requireUnchanged(t, input, http);
        return handler(t, input, http);
      };
    return {
      withoutTransaction: (c, input, http) => {
        // A verb with several transactions is compared in each until it has changed something itself.
        let wrote = false;
        const transaction: Ctx['transaction'] = (work) =>
          c.transaction(async (t) => {
            if (wrote) return work(t);
            await requireUnchanged(t, input, http);
            const result = await work(t);
            wrote = !(await unchanged(t, input, http));
            return result;
          });
        return handler.withoutTransaction({ ...c, transaction }, input, http);
      },
    };
  }

  /** Lock the row that a write is about, or its company's where it names none. Whoever refers to the row is not held up. */
  async function lockRow(e: DescribedEndpoint, t: TxCtx, params: Record<string, unknown>) {
    const id = e.object && parseId(params[e.object.param]);
    await (
      e.object
        ? sql`select from ${sql.table(e.object.table)} where company_id = ${t.companyId} and id = ${id} for no key update`
        : sql`select from company where id = ${t.companyId} for no key update`
    ).execute(t.tx);
  }
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(problemBody(new ApiError('not_found'), request.id)),
  );
}

/** Answer a request that failed, in the documented shape. Also for what fails before any route is found. */
export function sendError(
  error: Error & { statusCode?: number; code?: string },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const refusal = knownError(error);
  if (refusal) {
    if (refusal.status >= 500) request.log.warn({ err: error }, refusal.code);
    return reply.code(refusal.status).send(problemBody(refusal, request.id));
  }
  request.log.error({ err: error, url: request.routeOptions.url }, 'unexpected error');
  return reply.code(500).send({
    message: 'Server Error',
    errors: [
      {
        code: 'server_error',
        title: 'Server Error',
        detail: 'Something went wrong on our side.',
      },
    ],
    type: 'about:blank',
    title: 'Server Error',
    status: 500,
    detail: 'Something went wrong on our side.',
    code: 'server_error',
    request_id: request.id,
  });
}

/** The same where there is no request: what came over this connection is not HTTP, or came too slowly. The connection ends. */
export function sendMalformedRequest(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const apiError = new ApiError(
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request.timeout' : 'request.malformed',
  );
  const body = JSON.stringify(problemBody(apiError, requestId()));
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${apiError.status} ${STATUS_CODES[apiError.status]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  socket.destroySoon();
}

export const anonymousActor: Actor = {
  kind: 'user',
  userId: 0,
  name: '',
  email: '',
  sessionId: 0,
  staff: false,
  adminMode: false,
  memberships: [],
};
const field = (body: unknown, key: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[key] : undefined;
const requestedCompany = (query: unknown, body: unknown): number =>
  parseId(
    field(query, 'companyId') ??
      field(query, 'company_id') ??
      field(body, 'companyId') ??
      field(body, 'company_id'),
  );
/** `_method` of a query or body (A1), in capitals; null when there is none. */
const methodOverride = (value: unknown): string | null => {
  const method = field(value, '_method');
  return typeof method === 'string' && method ? method.toUpperCase() : null;
};
/** What the actor may do in the company where they may do most of this; undefined: nowhere. */
function grantInAnyCompany(e: DescribedEndpoint, actor: Actor): Grant | undefined {
  if ((actor.staff && actor.adminMode) || e.permission === 'session' || e.permission === 'public')
    return 'all';
  const permission = e.permission;
  return actor.memberships
    .map((m) => grantOf(m.role, permission, m.switches))
    .find((g) => g !== 'none');
}
/** Data of a request, as it came; refused where working with it would throw. */
function requirePlainJson(value: unknown, where: 'query' | 'body'): unknown {
  const why = unsafeJsonReason(value);
  return why ? invalid({ [where]: why }) : value;
}
const signedFileUrl = '"/api/files/';
/**
 * The ETag of an answer. Addresses of files are signed anew each minute: what is told is the same all the same, so a
 * write with `If-Match` isn't refused for it. Who holds such an answer is never told to keep it (304).
 */
const etag = (body: unknown) =>
  `W/"${createHash('sha1').update(JSON.stringify(body, withoutSignature)).digest('base64url')}"`;
function withoutSignature(this: unknown, key: string, value: unknown): unknown {
  const isSigned = (one: unknown) =>
    typeof one === 'string' && one.startsWith(signedFileUrl.slice(1));
  if (key === 'expires_at' && isSigned(field(this, 'url'))) return undefined;
  return isSigned(value) ? (value as string).split('?')[0] : value;
}

function unauthenticated(reply: FastifyReply, request: FastifyRequest) {
  const m = sentences.unauthenticated;
  return reply.code(401).send({
    message: m,
    errors: [{ code: 'unauthenticated', title: m, detail: m }],
    type: 'about:blank',
    title: m,
    status: 401,
    detail: m,
    code: 'unauthenticated',
    request_id: request.id,
  });
}

function parse(schema: DescribedEndpoint['query'], value: unknown, isPath = false): unknown {
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  if (isPath) notFound();
  return invalid(fieldErrors(read.error));
}

/** Query and body as the contract reads them; what is wrong with either, and `also`, is told at once. */
function parseInput(
  e: DescribedEndpoint,
  query: unknown,
  body: unknown,
  also: Record<string, string>,
) {
  const [q, b] = [e.query.safeParse(query), e.body.safeParse(body)];
  if (q.success && b.success && !Object.keys(also).length)
    return { query: q.data as unknown, body: b.data as unknown };
  return invalid({
    ...also,
    ...(q.error && fieldErrors(q.error)),
    ...(b.error && fieldErrors(b.error)),
  });
}

/** An answer that says what of the question was not known (A1). */
const withIgnoredFields = (body: unknown, ignored: string[]) =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? { ...body, meta: { ...(field(body, 'meta') as object | undefined), ignored } }
    : body;

/** A1's list envelope. */
function pageEnvelope(
  answer: PageAnswer<unknown>,
  request: FastifyRequest,
  query: { page: number; perPage: number },
) {
  const { rows, total } = answer;
  const { page = 1, perPage = 25 } = query ?? {};
  const path = request.url.split('?')[0] ?? '';
  const last = Math.max(1, Math.ceil(total / perPage));
  // Counted only so far: behind a full page there are more.
  const goesOn = answer.meta?.['total_is_capped'] === true && rows.length === perPage;
  const link = (n: number) => {
    const p = new URLSearchParams(request.url.split('?')[1] ?? '');
    p.set('page', String(n));
    return `${path}?${p}`;
  };
  return {
    data: rows,
    links: {
      first: link(1),
      last: link(last),
      prev: page > 1 ? link(page - 1) : null,
      next: page < last || goesOn ? link(page + 1) : null,
    },
    meta: {
      current_page: page,
      from: rows.length ? (page - 1) * perPage + 1 : null,
      last_page: last,
      path,
      per_page: perPage,
      to: rows.length ? (page - 1) * perPage + rows.length : null,
      total,
      ...answer.meta,
    },
  };
}

/** Outside production every success must parse against its own contract; a lie is found in a test, not by a customer. */
function checkResponse(e: DescribedEndpoint, body: unknown) {
  const read = e.answer.safeParse(JSON.parse(JSON.stringify(body ?? null)));
  if (!read.success)
    throw new Error(
      `${e.name} answered outside its contract: ${JSON.stringify(read.error.issues.slice(0, 5))}`,
    );
}

export const requestId = () => randomUUID();
