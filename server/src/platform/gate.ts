import { createHash, randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { sql } from 'kysely';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint, Grant, PageAnswer } from '#contract';
import { endpoints, grantOf, permissionKeys, sentences } from '#contract';
import { fieldErrors } from '#contract/problem-sentences';
import { knownKeys, onlyReads, unknownField, unknownIn } from '#contract/unknown-fields';
import type { Answerer, Answers, FullInput, Http } from './answer.ts';
import type { Bodies, Form } from './bodies.ts';
import { makeCtx, type Actor, type Ctx, type House, type Said, type TxCtx } from './context.ts';
import { Refusal, invalid, knownRefusal, missing, problem, refuse } from './refuse.ts';
import { seal, sign, unseal } from './secrets.ts';
import { readId, whyNotPlain } from './wire.ts';

/** What the gate needs from the product: who is this request? null = nobody. Wrong or revoked credentials also answer null. */
export interface Doorman {
  authenticate(request: FastifyRequest): Promise<{ actor: Actor; by: 'cookie' | 'bearer' } | null>;
  /** True when the request proves it came from our own pages (XSRF header equals the signed cookie). */
  provesOrigin(request: FastifyRequest): boolean;
  /** Refuses a request that would set a session cookie for a page of somebody else's. */
  guardSignIn(request: FastifyRequest): void;
}
/** Counts requests; answers the seconds to wait when a limit is passed. */
export interface Limiter {
  take(
    request: FastifyRequest,
    reply: FastifyReply,
    who: { userId: number; companyId: number },
    endpoint: AnyEndpoint,
  ): Promise<void>;
  /** Of the company alone, where it was not known yet when the person was counted. */
  takeCompany(
    request: FastifyRequest,
    reply: FastifyReply,
    companyId: number,
    endpoint: AnyEndpoint,
  ): Promise<void>;
}

type Known = Awaited<ReturnType<Doorman['authenticate']>>;
/** What anybody may send without being signed in is small. */
const PUBLIC_BODY_BYTES = 64 * 1024;

/**
 * Put every answered endpoint on the server. Refuses to start when an endpoint has no known permission, or an answer
 * belongs to no endpoint.
 */
export function openGate(
  app: FastifyInstance,
  house: House,
  doorman: Doorman,
  limiter: Limiter,
  bodies: Bodies,
  said: Said,
  answers: readonly Answers[],
) {
  const known = new WeakMap<FastifyRequest, Known>();
  const allVerbs = new Map(answers.flatMap((a) => [...a.byName]));
  const verbs = new Map(allVerbs);
  for (const e of endpoints) {
    if (
      e.permission !== 'public' &&
      e.permission !== 'session' &&
      !permissionKeys.includes(e.permission)
    )
      throw new Error(`${e.name} declares no known permission`);
    const verb = verbs.get(e.name);
    if (!verb) throw new Error(`${e.name} has no answer`);
    app.route({
      method: e.method,
      url: `/api${e.path.replace(/\{(\w+)\}/g, ':$1')}`,
      exposeHeadRoute: e.method === 'GET',
      ...(e.permission === 'public' ? { bodyLimit: PUBLIC_BODY_BYTES } : {}),
      onRequest: (request, reply) =>
        identify(
          e.permission === 'public',
          e.method !== 'GET' || e.path === '/sanctum/logout',
          request,
          reply,
        ),
      // Recordings and pictures are compressed already, and players ask for parts of them.
      ...(e.binary && { compress: false }),
      handler: (request, reply) => pass(e, verb, request, reply),
    });
    verbs.delete(e.name);
    if (e.etagOf && typeof allVerbs.get(e.etagOf) !== 'function')
      throw new Error(
        `${e.name} compares with ${e.etagOf}, which does not answer within a transaction`,
      );
  }
  openOverrides();
  if (verbs.size) throw new Error(`answers without an endpoint: ${[...verbs.keys()].join(', ')}`);

  /** POST with `_method` PUT, PATCH or DELETE (A1), wherever the path has no POST of its own. */
  function openOverrides() {
    const byPath = new Map<string, AnyEndpoint[]>();
    for (const e of endpoints) byPath.set(e.path, [...(byPath.get(e.path) ?? []), e]);
    for (const [path, twins] of byPath) {
      if (twins.some((e) => e.method === 'POST') || !twins.some((e) => e.method !== 'GET'))
        continue;
      // What a form asks for stands in its body, which is read only for somebody who may send it: one endpoint can be meant.
      const forms = twins.filter((e) => e.multipart);
      if (forms.length > 1)
        throw new Error(`${path} takes forms by more than one method and has no POST`);
      app.route({
        method: 'POST',
        url: `/api${path.replace(/\{(\w+)\}/g, ':$1')}`,
        onRequest: (request, reply) =>
          identify(
            twins.every((e) => e.permission === 'public'),
            true,
            request,
            reply,
          ),
        handler: async (request, reply) => {
          const wanted = methodIn(request.query) ?? methodIn(request.body);
          const twin =
            request.isMultipart() && wanted === null
              ? (forms[0] ?? refuse('form.not_taken'))
              : (twins.find((e) => e.method === wanted) ?? missing());
          return pass(twin, allVerbs.get(twin.name)!, request, reply, wanted === null);
        },
      });
    }
  }

  /** Who asks, before anything of the body is read. */
  async function identify(
    isPublic: boolean,
    writes: boolean,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const found = await doorman.authenticate(request);
    if (!isPublic && !found) return unauthenticated(reply, request);
    if (found?.by === 'cookie' && writes && !doorman.provesOrigin(request)) refuse('csrf_mismatch');
    known.set(request, found);
  }

  /** @param overridden the method stands in the form's body, and must be this endpoint's */
  async function pass(
    e: AnyEndpoint,
    verb: Answerer,
    request: FastifyRequest,
    reply: FastifyReply,
    overridden = false,
  ) {
    if (e.opensSession) doorman.guardSignIn(request);
    const actor = known.get(request)?.actor ?? nobody;
    if (e.permission !== 'public' && !actor.userId) return unauthenticated(reply, request);
    const params = parse(e.params, request.params, true) as Record<string, unknown>;
    const rawQuery = plain(request.query ?? {}, 'query') as Record<string, unknown>;
    if (!request.isMultipart()) {
      const place = await placeOf(e, actor, params, rawQuery, plain(request.body, 'body'));
      await limiter.take(request, reply, { userId: actor.userId, companyId: place.companyId }, e);
      return perform(e, verb, request, reply, {
        actor,
        params,
        rawQuery,
        place,
        body: request.body,
        files: [],
      });
    }
    if (!e.multipart) refuse('form.not_taken');
    // A form may name its company among its fields. It is read then for somebody who may do this in some company at least.
    const named = e.company !== 'given' || companyGiven(rawQuery, undefined) > 0;
    const before = named ? await placeOf(e, actor, params, rawQuery, undefined) : null;
    if (!before && !grantAnywhere(e, actor)) refuse('role.forbidden');
    await limiter.take(
      request,
      reply,
      { userId: actor.userId, companyId: before?.companyId ?? 0 },
      e,
    );
    const form = await bodies.readForm(request);
    try {
      plain(form.fields, 'body');
      if (overridden && methodIn(form.fields) !== e.method) missing();
      const place = before ?? (await placeOf(e, actor, params, rawQuery, form.fields));
      const said = companyGiven(undefined, form.fields);
      if (e.company === 'object' && said && said !== place.companyId) missing();
      if (!before) await limiter.takeCompany(request, reply, place.companyId, e);
      return await perform(e, verb, request, reply, {
        actor,
        params,
        rawQuery,
        place,
        body: form.fields,
        files: form.files,
      });
    } finally {
      await form.remove();
    }
  }

  interface Asked {
    actor: Actor;
    params: Record<string, unknown>;
    rawQuery: Record<string, unknown>;
    place: Awaited<ReturnType<typeof placeOf>>;
    body: unknown;
    files: Form['files'];
  }

  async function perform(
    e: AnyEndpoint,
    verb: Answerer,
    request: FastifyRequest,
    reply: FastifyReply,
    { actor, params, rawQuery, place, body: sent, files }: Asked,
  ) {
    const { companyId, role, grant, numbers } = place;
    const http: Http = { request, reply, files, ip: request.ip };
    const unknown = unknownIn(e, { query: rawQuery, body: sent, params });
    const strict =
      !onlyReads(e) ||
      [rawQuery['strict'], field(sent, 'strict')].some(
        (said) => said === true || said === 1 || said === '1' || said === 'true',
      );
    const ignored = new Set<string>();
    // Said once: the same sentence for what the contract doesn't know, and what a verb finds unknown.
    const ignore = (path: readonly string[]) =>
      strict
        ? invalid({ [path.join('.')]: unknownField(e, path) })
        : void ignored.add(path.join('.'));
    const ctx = makeCtx(
      house,
      { companyId, actor, role, grant, numbers, requestId: request.id, ignore },
      said,
    );
    const refused = strict ? await notAsShown(e, ctx, params, rawQuery, sent, unknown, http) : [];
    // What an answer shall include is never left out without a refusal (A1).
    const include = strict ? [] : unknown.filter(([key]) => key === 'include');
    if (!strict) unknown.filter((path) => !include.includes(path)).forEach(ignore);
    const input = {
      params,
      ...parseBoth(
        e,
        rawQuery,
        sent ?? {},
        Object.fromEntries(
          [...refused, ...include].map((path) => [path.join('.'), unknownField(e, path)]),
        ),
      ),
    };

    const act = ifUnchanged(e, verb, request, rawQuery);
    const result = await onceOnly(e, ctx, actor, request, reply, act, input, http);
    if (reply.sent) return reply;
    if (e.status === 204) return reply.code(204).send();
    const body = e.paged
      ? envelope(
          result as PageAnswer<unknown>,
          request,
          (e.method === 'POST' ? input.body : input.query) as { page: number; perPage: number },
        )
      : result;
    if (!house.settings.production) checkAnswer(e, body);
    if (e.method === 'GET' && !e.paged) {
      const tag = etag(body);
      void reply.header('etag', tag);
      if (request.headers['if-none-match'] === tag && !JSON.stringify(body).includes(signedFile))
        return reply.code(304).send();
    }
    return reply
      .code(reply.statusCode === 200 ? e.status : reply.statusCode)
      .send(ignored.size ? naming(body, [...ignored]) : body);
  }

  /**
   * Of what a write doesn't know, that which its object doesn't show either, or shows otherwise: whoever
   * reads an object, changes a field and writes all of it back may.
   */
  async function notAsShown(
    e: AnyEndpoint,
    ctx: Ctx,
    params: unknown,
    rawQuery: Record<string, unknown>,
    sent: unknown,
    unknown: string[][],
    http: Http,
  ) {
    const detail = endpoints.find((one) => one.name === e.etagOf);
    const read = detail && allVerbs.get(detail.name);
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
  async function placeOf(
    e: AnyEndpoint,
    actor: Actor,
    params: Record<string, unknown>,
    query: Record<string, unknown>,
    body: unknown,
  ) {
    const given = companyGiven(query, body);
    let companyId = 0;
    if (e.company === 'path') companyId = Number(params['companyId'] ?? params['id']);
    else if (e.company === 'given') {
      companyId =
        given ||
        (e.object ? await companyOfObject(e, actor, params[e.object.param], 0) : 0) ||
        (actor.kind === 'key' && actor.memberships.length === 1
          ? actor.memberships[0]!.companyId
          : 0);
      if (!companyId) refuse('company_required');
    } else if (e.company === 'object') {
      // The object's id stands in the path, or (POST /v1/calls/token) in the query or body.
      const key = e.object?.param ?? 'id';
      companyId =
        (await companyOfObject(
          e,
          actor,
          params[key] ?? readId(query[key] ?? field(body, key)),
          given,
        )) || refuse('company_required');
    } else if (e.permission !== 'public' && e.permission !== 'session') {
      // About no company, yet a row of the matrix (POST /companies): any membership that grants it is enough.
      const best = grantAnywhere(e, actor) ?? refuse('role.forbidden');
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
      missing();
    }
    const role = actor.adminMode && actor.staff ? ('platform' as const) : membership!.role;
    const grant =
      e.permission === 'public' || e.permission === 'session'
        ? ('all' as Grant)
        : grantOf(role, e.permission, membership!.switches);
    if (grant === 'none') refuse('role.forbidden');
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
    e: AnyEndpoint,
    actor: Actor,
    said: unknown,
    given: number,
  ): Promise<number> {
    // A text is a UUID, and came through the path's schema: nothing else is compared with a column as it was sent.
    const id = typeof said === 'string' ? said : readId(said);
    if (!e.object || !id) missing();
    const mine = actor.memberships.map((m) => m.companyId).filter((c) => !given || c === given);
    const everywhere = actor.staff && actor.adminMode;
    if (!mine.length && !everywhere) missing();
    const where = everywhere ? sql`true` : sql`company_id = any(${mine}::bigint[])`;
    const { rows } = await sql<{
      company_id: number;
    }>`select company_id from ${sql.table(e.object!.table)} where ${where} and id = ${id} limit 1`.execute(
      house.db.directory,
    );
    if (rows.length || !e.object!.shared) return rows[0]?.company_id ?? missing();
    const among = everywhere ? sql`true` : sql`c.id = any(${mine}::bigint[])`;
    const shared = await sql<{
      company_id: number;
    }>`select c.id company_id from ${sql.table(e.object!.shared)} s join company c on c.organization_id = s.organization_id where ${among} and s.id = ${id} limit 2`.execute(
      house.db.directory,
    );
    return shared.rows.length > 1 ? 0 : (shared.rows[0]?.company_id ?? missing());
  }

  /** Idempotency-Key (A1): same key and body → the first answer; other body → 422; still running → 409. */
  async function onceOnly(
    e: AnyEndpoint,
    ctx: Ctx,
    actor: Actor,
    request: FastifyRequest,
    reply: FastifyReply,
    verb: Answerer,
    input: FullInput<AnyEndpoint>,
    http: Http,
  ) {
    if ('reading' in verb) return ctx.reading((t) => verb.reading(t, input, http));
    const run = (c: Ctx) =>
      typeof verb === 'function'
        ? c.transaction((t) => verb(t, input, http))
        : verb.outside(c, input, http);
    const key = request.headers['idempotency-key'];
    if (e.method !== 'POST' || typeof key !== 'string' || !key || actor.userId === 0)
      return run(ctx);
    const secret = house.settings.appSecret;
    const mine = { company_id: ctx.companyId, person_id: actor.userId, key: key.slice(0, 200) };
    // Keyed, so that what was sent (a password, perhaps) cannot be guessed from its fingerprint.
    const fingerprint = sign(
      secret,
      JSON.stringify([e.name, input, http.files.map((f) => [f.name, f.size])]),
    );
    const replay = (seen: {
      fingerprint: string;
      status: number | null;
      body_sealed: string | null;
    }) => {
      if (seen.fingerprint !== fingerprint) refuse('idempotency.mismatch');
      if (seen.status === null || seen.body_sealed === null) refuse('idempotency.running');
      void reply.header('idempotency-replayed', 'true').code(seen.status);
      return JSON.parse(unseal(secret, seen.body_sealed)) as unknown;
    };
    const kept = (t: TxCtx) =>
      t.tx
        .selectFrom('idempotency_key')
        .selectAll()
        .where('company_id', '=', mine.company_id)
        .where('person_id', '=', mine.person_id)
        .where('key', '=', mine.key)
        .where('at', '>', new Date(ctx.now.getTime() - 86_400_000))
        .executeTakeFirst();
    const keep = (t: TxCtx, answer: { status: number | null; body_sealed: string | null }) =>
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
    const keepAnswer = async (t: TxCtx, result: unknown) => {
      await sql`select set_config('app.company_id', ${mine.company_id ? String(mine.company_id) : ''}, true)`.execute(
        t.tx,
      );
      await keep(t, answered(result));
    };
    // Sealed, because an answer may hold tokens.
    const answered = (result: unknown) => ({
      status: reply.statusCode === 200 ? e.status : reply.statusCode,
      body_sealed: seal(secret, JSON.stringify(result ?? null)),
    });
    const lock = async (t: TxCtx) => {
      const { rows } = await sql<{
        got: boolean;
      }>`select pg_try_advisory_xact_lock(hashtextextended(${`${mine.person_id}:${mine.company_id}:${mine.key}`}, 7)) got`.execute(
        t.tx,
      );
      if (!rows[0]!.got) refuse('idempotency.running');
    };
    if (typeof verb === 'function') {
      return ctx.transaction(async (t) => {
        await lock(t);
        const seen = await kept(t);
        if (seen) return replay(seen);
        const result = await verb(t, input as never, http);
        await keepAnswer(t, result);
        return result;
      });
    }
    // An answer that talks to strangers holds no transaction meanwhile: the key is marked as running first. A mark older
    // than 20 seconds belonged to a process that died; the verb's own key at the stranger keeps it from happening twice.
    const seen = await ctx.transaction(async (t) => {
      await lock(t);
      const found = await kept(t);
      if (
        found &&
        !(
          found.status === null &&
          found.fingerprint === fingerprint &&
          found.at.getTime() < ctx.now.getTime() - 20_000
        )
      )
        return found;
      await keep(t, { status: null, body_sealed: null });
      return null;
    });
    if (seen) return replay(seen);
    // The transaction that makes the answer also keeps it: a process that dies before answering is not asked to do it twice.
    const watched: Ctx = {
      ...ctx,
      transaction: (work) =>
        ctx.transaction(async (t) => {
          const result = await work(t);
          if (typeof result === 'object' && result !== null && 'data' in result)
            await keepAnswer(t, result);
          return result;
        }),
    };
    try {
      const result = await run(watched);
      await ctx.transaction((t) => keep(t, answered(result)));
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
  function ifUnchanged(
    e: AnyEndpoint,
    verb: Answerer,
    request: FastifyRequest,
    rawQuery: unknown,
  ): Answerer {
    const header = request.headers['if-match'];
    if (!header || !e.etagOf || header.trim() === '*' || 'reading' in verb) return verb;
    const wanted = header.split(/,\s*(?=W\/"|")/).map((tag) => tag.trim());
    const detail = endpoints.find((one) => one.name === e.etagOf)!;
    const read = allVerbs.get(e.etagOf) as Extract<Answerer, (...all: never[]) => unknown>;
    const unchanged = async (t: TxCtx, input: { params: unknown }, http: Http) => {
      const its = { params: input.params, query: parse(detail.query, rawQuery), body: {} };
      return wanted.includes(etag(await read(t, its, http)));
    };
    const insist = async (t: TxCtx, input: { params: unknown }, http: Http) => {
      await lockRow(e, t, input.params as Record<string, unknown>);
      if (!(await unchanged(t, input, http))) refuse('precondition_failed');
    };
    if (typeof verb === 'function')
      return async (t, input, http) => {
        await insist(t, input, http);
        return verb(t, input, http);
      };
    return {
      outside: (c, input, http) => {
        // A verb with several transactions is compared in each until it has changed something itself.
        let wrote = false;
        const transaction: Ctx['transaction'] = (work) =>
          c.transaction(async (t) => {
            if (wrote) return work(t);
            await insist(t, input, http);
            const result = await work(t);
            wrote = !(await unchanged(t, input, http));
            return result;
          });
        return verb.outside({ ...c, transaction }, input, http);
      },
    };
  }

  /** Lock the row that a write is about, or its company's where it names none. Whoever refers to the row is not held up. */
  async function lockRow(e: AnyEndpoint, t: TxCtx, params: Record<string, unknown>) {
    const id = e.object && readId(params[e.object.param]);
    await (
      e.object
        ? sql`select from ${sql.table(e.object.table)} where company_id = ${t.companyId} and id = ${id} for no key update`
        : sql`select from company where id = ${t.companyId} for no key update`
    ).execute(t.tx);
  }
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(problem(new Refusal('not_found'), request.id)),
  );
}

/** Answer a request that failed, in the documented shape. Also for what fails before any route is found. */
export function answerError(
  error: Error & { statusCode?: number; code?: string },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const refusal = knownRefusal(error);
  if (refusal) {
    if (refusal.status >= 500) request.log.warn({ err: error }, refusal.code);
    return reply.code(refusal.status).send(problem(refusal, request.id));
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
export function answerNonsense(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const refusal = new Refusal(
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request.timeout' : 'request.malformed',
  );
  const body = JSON.stringify(problem(refusal, requestId()));
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  socket.destroySoon();
}

export const nobody: Actor = {
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
const companyGiven = (query: unknown, body: unknown): number =>
  readId(
    field(query, 'companyId') ??
      field(query, 'company_id') ??
      field(body, 'companyId') ??
      field(body, 'company_id'),
  );
/** `_method` of a query or body (A1), in capitals; null when there is none. */
const methodIn = (said: unknown): string | null => {
  const method = field(said, '_method');
  return typeof method === 'string' && method ? method.toUpperCase() : null;
};
/** What the actor may do in the company where they may do most of this; undefined: nowhere. */
function grantAnywhere(e: AnyEndpoint, actor: Actor): Grant | undefined {
  if ((actor.staff && actor.adminMode) || e.permission === 'session' || e.permission === 'public')
    return 'all';
  const permission = e.permission;
  return actor.memberships
    .map((m) => grantOf(m.role, permission, m.switches))
    .find((g) => g !== 'none');
}
/** Data of a request, as it came; refused where working with it would throw. */
function plain(value: unknown, where: 'query' | 'body'): unknown {
  const why = whyNotPlain(value);
  return why ? invalid({ [where]: why }) : value;
}
const signedFile = '"/api/files/';
/**
 * The ETag of an answer. Addresses of files are signed anew each minute: what is told is the same all the same, so a
 * write with `If-Match` isn't refused for it. Who holds such an answer is never told to keep it (304).
 */
const etag = (body: unknown) =>
  `W/"${createHash('sha1').update(JSON.stringify(body, withoutSignature)).digest('base64url')}"`;
function withoutSignature(this: unknown, key: string, value: unknown): unknown {
  const isSigned = (one: unknown) => typeof one === 'string' && one.startsWith(signedFile.slice(1));
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

function parse(schema: AnyEndpoint['query'], value: unknown, isPath = false): unknown {
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  if (isPath) missing();
  return invalid(fieldErrors(read.error));
}

/** Query and body as the contract reads them; what is wrong with either, and `also`, is told at once. */
function parseBoth(e: AnyEndpoint, query: unknown, body: unknown, also: Record<string, string>) {
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
const naming = (body: unknown, ignored: string[]) =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? { ...body, meta: { ...(field(body, 'meta') as object | undefined), ignored } }
    : body;

/** A1's list envelope. */
function envelope(
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
function checkAnswer(e: AnyEndpoint, body: unknown) {
  const read = e.answer.safeParse(JSON.parse(JSON.stringify(body ?? null)));
  if (!read.success)
    throw new Error(
      `${e.name} answered outside its contract: ${JSON.stringify(read.error.issues.slice(0, 5))}`,
    );
}

export const requestId = () => randomUUID();
