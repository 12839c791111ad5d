import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnyEndpoint, Grant, PageAnswer } from '#contract';
import { endpoints, grantOf, permissionKeys, sentences } from '#contract';
import type { Answerer, Answers, Http, Upload } from './answer.ts';
import { makeCtx, type Actor, type Ctx, type House, type Said, type TxCtx } from './context.ts';
import { Refusal, invalid, missing, problem, refuse } from './refuse.ts';
import { fieldErrors, fromJson, knownKeys } from './wire.ts';

/** What the gate needs from the product: who is this request? null = nobody. Wrong or revoked credentials also answer null. */
export interface Doorman {
  authenticate(request: FastifyRequest): Promise<{ actor: Actor; by: 'cookie' | 'bearer' } | null>;
  /** True when the request proves it came from our own pages (XSRF header equals the signed cookie). */
  provesOrigin(request: FastifyRequest): boolean;
}
/** Counts requests; answers the seconds to wait when a limit is passed. */
export interface Limiter { take(request: FastifyRequest, reply: FastifyReply, who: { userId: number; companyId: number }, endpoint: AnyEndpoint): Promise<void> }

const UPLOAD_BYTES = 20 * 1024 * 1024;

/**
 * Put every answered endpoint on the server. Refuses to start when an endpoint has no known permission, or an answer
 * belongs to no endpoint.
 */
export function openGate(app: FastifyInstance, house: House, doorman: Doorman, limiter: Limiter, said: Said, answers: readonly Answers[]) {
  const allVerbs = new Map(answers.flatMap((a) => [...a.byName]));
  const verbs = new Map(allVerbs);
  for (const e of endpoints) {
    if (e.permission !== 'public' && e.permission !== 'session' && !permissionKeys.includes(e.permission)) throw new Error(`${e.name} declares no known permission`);
    const verb = verbs.get(e.name);
    if (!verb) throw new Error(`${e.name} has no answer`);
    app.route({
      method: e.method, url: `/api${e.path.replace(/\{(\w+)\}/g, ':$1')}`,
      exposeHeadRoute: e.method === 'GET',
      // Recordings and pictures are compressed already, and players ask for parts of them.
      ...(e.binary && { compress: false }),
      handler: (request, reply) => pass(e, verb, request, reply),
    });
    verbs.delete(e.name);
  }
  openOverrides();
  if (verbs.size) throw new Error(`answers without an endpoint: ${[...verbs.keys()].join(', ')}`);

  /** POST with `_method` PUT, PATCH or DELETE (A1), wherever the path has no POST of its own. */
  function openOverrides() {
    const byPath = new Map<string, AnyEndpoint[]>();
    for (const e of endpoints) byPath.set(e.path, [...(byPath.get(e.path) ?? []), e]);
    for (const [path, twins] of byPath) {
      if (twins.some((e) => e.method === 'POST') || !twins.some((e) => e.method !== 'GET')) continue;
      app.route({
        method: 'POST', url: `/api${path.replace(/\{(\w+)\}/g, ':$1')}`,
        handler: async (request, reply) => {
          const http = await readRequest(request, reply);
          const wanted = String(field(http.body, '_method') ?? field(request.query, '_method') ?? '').toUpperCase();
          const twin = twins.find((e) => e.method === wanted) ?? missing();
          return pass(twin, allVerbs.get(twin.name)!, request, reply, http);
        },
      });
    }
  }

  async function pass(e: AnyEndpoint, verb: Answerer, request: FastifyRequest, reply: FastifyReply, read?: Http & { body: unknown }) {
    const found = await doorman.authenticate(request);
    if (e.permission !== 'public' && !found) return unauthenticated(reply, request);
    const writes = e.method !== 'GET' || e.path === '/sanctum/logout';
    if (found?.by === 'cookie' && writes && !doorman.provesOrigin(request)) refuse('csrf_mismatch');
    const actor = found?.actor ?? nobody;

    const http = read ?? (await readRequest(request, reply));
    const params = parse(e.params, request.params, true) as Record<string, unknown>;
    const rawQuery = (request.query ?? {}) as Record<string, unknown>;
    const { companyId, role, grant, numbers } = await placeOf(e, actor, params, rawQuery, http.body);
    await limiter.take(request, reply, { userId: actor.userId, companyId }, e);
    const input = { params, query: parse(e.query, rawQuery), body: parse(e.body, http.body ?? {}) };

    const ctx = makeCtx(house, { companyId, actor, role, grant, numbers, requestId: request.id }, said);
    const run = (c: Ctx) => (typeof verb === 'function' ? c.transaction((t) => verb(t, input as never, http)) : verb.outside(c, input as never, http));
    const result = await onceOnly(e, ctx, actor, request, reply, http.body, verb, input, http, run);
    if (reply.sent) return reply;
    if (e.status === 204) return reply.code(204).send();
    const body = e.paged ? envelope(e, result as PageAnswer<unknown>, request, (e.method === 'POST' ? input.body : input.query) as { page: number; perPage: number }, rawQuery) : result;
    if (!house.settings.production) checkAnswer(e, body);
    if (e.method === 'GET' && !e.paged) {
      const tag = etag(body);
      void reply.header('etag', tag);
      if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    }
    return reply.code(reply.statusCode === 200 ? e.status : reply.statusCode).send(body);
  }

  /** The company acted in, and what the role may do there. Foreign and missing are one answer. */
  async function placeOf(e: AnyEndpoint, actor: Actor, params: Record<string, unknown>, query: Record<string, unknown>, body: unknown) {
    const given = Number(query['companyId'] ?? query['company_id'] ?? field(body, 'companyId') ?? field(body, 'company_id')) || 0;
    let companyId = 0;
    if (e.company === 'path') companyId = Number(params['companyId'] ?? params['id']);
    else if (e.company === 'given') {
      companyId = given || (actor.kind === 'key' && actor.memberships.length === 1 ? actor.memberships[0]!.companyId : 0);
      if (!companyId) refuse('company_required');
    } else if (e.company === 'object') {
      // The object's id stands in the path, or (POST /v1/calls/token) in the query or body.
      const key = e.object?.param ?? 'id';
      companyId = await companyOfObject(e, actor, Number(params[key] ?? query[key] ?? field(body, key)), given);
    }
    else if (e.permission !== 'public' && e.permission !== 'session') {
      // About no company, yet a row of the matrix (POST /companies): any membership that grants it is enough.
      const best = actor.staff && actor.adminMode ? 'all' : actor.memberships.map((m) => grantOf(m.role, e.permission as never, m.switches)).find((g) => g !== 'none');
      if (!best) refuse('role.forbidden');
      return { companyId: 0, role: actor.memberships[0]?.role ?? ('platform' as const), grant: best as Grant, numbers: null };
    }
    if (!companyId) return { companyId: 0, role: 'user' as const, grant: 'all' as Grant, numbers: null };
    const membership = actor.memberships.find((m) => m.companyId === companyId);
    if (actor.staff && actor.adminMode && !membership) return { companyId, role: 'platform' as const, grant: 'all' as Grant, numbers: null };
    if (!membership) { if (e.permission === 'public') return { companyId, role: 'user' as const, grant: 'none' as Grant, numbers: null }; missing(); }
    const role = actor.adminMode && actor.staff ? ('platform' as const) : membership!.role;
    const grant = e.permission === 'public' || e.permission === 'session' ? ('all' as Grant) : grantOf(role, e.permission, membership!.switches);
    if (grant === 'none') refuse('role.forbidden');
    const scoped = grantOf(role, 'inbox.view', membership!.switches) === 'assigned' || grant === 'assigned';
    return { companyId, role, grant, numbers: scoped && membership!.numberIds.length ? membership!.numberIds : null };
  }

  async function companyOfObject(e: AnyEndpoint, actor: Actor, id: number, given: number): Promise<number> {
    if (!e.object || !Number.isSafeInteger(id) || id < 1) missing();
    const mine = actor.memberships.map((m) => m.companyId).filter((c) => !given || c === given);
    const everywhere = actor.staff && actor.adminMode;
    if (!mine.length && !everywhere) missing();
    const where = everywhere ? sql`true` : sql`company_id = any(${mine}::bigint[])`;
    const { rows } = await sql<{ company_id: number }>`select company_id from ${sql.table(e.object!.table)} where ${where} and id = ${id} limit 1`.execute(house.db.directory);
    return rows[0]?.company_id ?? missing();
  }

  /** Idempotency-Key (A1): same key and body → the first answer; other body → 422; still running → 409. */
  async function onceOnly(e: AnyEndpoint, ctx: Ctx, actor: Actor, request: FastifyRequest, reply: FastifyReply, body: unknown, verb: Answerer, input: unknown, http: Http, run: (c: Ctx) => Promise<unknown>) {
    const key = request.headers['idempotency-key'];
    if (e.method !== 'POST' || typeof key !== 'string' || !key || actor.userId === 0) return matching(e, ctx, request, () => run(ctx), input, http);
    const mine = { owner: `${actor.userId}:${ctx.companyId}`, key: key.slice(0, 200) };
    const fingerprint = createHash('sha256').update(JSON.stringify([e.name, input, http.files.map((f) => [f.name, f.bytes.length])])).digest('hex');
    const replay = (seen: { fingerprint: string; status: number | null; body: unknown }) => {
      if (seen.fingerprint !== fingerprint) refuse('idempotency.mismatch');
      if (seen.status === null) refuse('idempotency.running');
      void reply.header('idempotency-replayed', 'true').code(seen.status!);
      return seen.body;
    };
    const kept = (t: TxCtx) => t.tx.selectFrom('idempotency_key').selectAll().where('owner', '=', mine.owner).where('key', '=', mine.key).where('at', '>', new Date(ctx.now.getTime() - 86_400_000)).executeTakeFirst();
    const keep = (t: TxCtx, answer: { status: number | null; body: string | null }) => t.tx.insertInto('idempotency_key').values({ ...mine, fingerprint, ...answer, at: ctx.now })
      .onConflict((c) => c.columns(['owner', 'key']).doUpdateSet({ fingerprint, ...answer, at: ctx.now })).execute();
    const answered = (result: unknown) => ({ status: reply.statusCode === 200 ? e.status : reply.statusCode, body: JSON.stringify(result ?? null) });
    const lock = async (t: TxCtx) => {
      const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`${mine.owner}:${mine.key}`}, 7)) got`.execute(t.tx);
      if (!rows[0]!.got) refuse('idempotency.running');
    };
    if (typeof verb === 'function') {
      return ctx.transaction(async (t) => {
        await lock(t);
        const seen = await kept(t);
        if (seen) return replay(seen);
        const result = await verb(t, input as never, http);
        await keep(t, answered(result));
        return result;
      });
    }
    // An answer that talks to strangers holds no transaction meanwhile: the key is marked as running first. A mark older
    // than 20 seconds belonged to a process that died; the verb's own key at the stranger keeps it from happening twice.
    const seen = await ctx.transaction(async (t) => {
      await lock(t);
      const found = await kept(t);
      if (found && !(found.status === null && found.fingerprint === fingerprint && found.at.getTime() < ctx.now.getTime() - 20_000)) return found;
      await keep(t, { status: null, body: null });
      return null;
    });
    if (seen) return replay(seen);
    // The transaction that makes the answer also keeps it: a process that dies before answering is not asked to do it twice.
    const watched: Ctx = { ...ctx, transaction: (work) => ctx.transaction(async (t) => {
      const result = await work(t);
      if (typeof result === 'object' && result !== null && 'data' in result) await keep(t, answered(result));
      return result;
    }) };
    try {
      const result = await run(watched);
      await ctx.transaction((t) => keep(t, answered(result)));
      return result;
    } catch (error) {
      await ctx.transaction((t) => t.tx.deleteFrom('idempotency_key').where('owner', '=', mine.owner).where('key', '=', mine.key).where('status', 'is', null).execute()).catch(() => {});
      throw error;
    }
  }

  /** `If-Match` on a write is compared with the ETag its detail call would answer now. */
  async function matching(e: AnyEndpoint, ctx: Ctx, request: FastifyRequest, run: () => Promise<unknown>, input: unknown, http: Http) {
    const wanted = request.headers['if-match'];
    if (wanted && e.etagOf) {
      const detail = allVerbs.get(e.etagOf);
      const now = typeof detail === 'function' ? await ctx.transaction((t) => detail(t, input as never, http)) : null;
      if (now && etag(now) !== wanted) refuse('precondition_failed');
    }
    return run();
  }
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string; validation?: unknown }, request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send(problem(error, request.id));
    const known = databaseRefusal(error) ?? httpRefusal(error);
    if (known) {
      if (known.status >= 500) request.log.warn({ err: error }, 'database unavailable');
      return reply.code(known.status).send(problem(known, request.id));
    }
    request.log.error({ err: error, url: request.routeOptions.url }, 'unexpected error');
    return reply.code(500).send({ message: 'Server Error', errors: [{ code: 'server_error', title: 'Server Error', detail: 'Something went wrong on our side.' }], type: 'about:blank', title: 'Server Error', status: 500, detail: 'Something went wrong on our side.', code: 'server_error', request_id: request.id });
  });
  app.setNotFoundHandler((request, reply) => reply.code(404).send(problem(new Refusal('not_found'), request.id)));
}

export const nobody: Actor = { kind: 'user', userId: 0, name: '', email: '', sessionId: 0, staff: false, adminMode: false, memberships: [] };
const field = (body: unknown, key: string): unknown => (typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[key] : undefined);
const etag = (body: unknown) => `W/"${createHash('sha1').update(JSON.stringify(body)).digest('base64url')}"`;

function unauthenticated(reply: FastifyReply, request: FastifyRequest) {
  const m = sentences.unauthenticated;
  return reply.code(401).send({ message: m, errors: [{ code: 'unauthenticated', title: m, detail: m }], type: 'about:blank', title: m, status: 401, detail: m, code: 'unauthenticated', request_id: request.id });
}

/** PostgreSQL's own refusals: gone → 503; an impossible value or a foreign reference → 422, never 500. */
function databaseRefusal(error: Error & { code?: string }): Refusal | null {
  const code = error.code ?? '';
  if (/^(08|57P0|53|40001|40P01)/.test(code) || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code) || /Connection terminated|timeout exceeded when trying to connect/.test(error.message)) return new Refusal('unavailable');
  if (code === '23503') return new Refusal('invalid', {}, { id: ['Something this refers to does not exist.'] });
  if (code === '23505') return new Refusal('invalid', {}, { id: ['This exists already.'] });
  if (/^22/.test(code)) return new Refusal('invalid', {}, { body: ['A value is out of range.'] });
  return null;
}
function httpRefusal(error: Error & { statusCode?: number; code?: string }): Refusal | null {
  const status = error.statusCode ?? 0;
  if (status === 413 || error.code === 'FST_REQ_FILE_TOO_LARGE') return new Refusal('invalid', {}, { file: ['The file is too large.'] });
  return status >= 400 && status < 500 ? new Refusal('invalid', {}, { body: [error.message.endsWith('.') ? error.message : `${error.message}.`] }) : null;
}

function parse(schema: AnyEndpoint['query'], value: unknown, isPath = false): unknown {
  const read = schema.safeParse(value ?? {});
  if (read.success) return read.data;
  if (isPath) missing();
  return invalid(fieldErrors(read.error));
}

/** Multipart fields become a body: `a[]` repeats, JSON text is read, `_method` was honoured by the router. */
async function readRequest(request: FastifyRequest, reply: FastifyReply): Promise<Http & { body: unknown }> {
  const http = { request, reply, files: [] as Upload[], ip: request.ip, body: request.body };
  if (!request.isMultipart?.()) return http;
  const body: Record<string, unknown> = {};
  for await (const part of request.parts({ limits: { fileSize: UPLOAD_BYTES, files: 20, fields: 200 } })) {
    if (part.type === 'file') http.files.push({ field: part.fieldname.replace(/\[\d*\]$/, ''), name: part.filename ?? 'file', contentType: part.mimetype, bytes: await part.toBuffer() });
    else {
      const array = /^(.+?)\[\d*\]$/.exec(part.fieldname);
      const value = fromJson(String(part.value));
      if (array) ((body[array[1]!] ??= []) as unknown[]).push(value);
      else if (part.fieldname !== '__proto__') body[part.fieldname] = value;
    }
  }
  return { ...http, body };
}

/** A1's list envelope. */
function envelope(e: AnyEndpoint, answer: PageAnswer<unknown>, request: FastifyRequest, query: { page: number; perPage: number }, raw: Record<string, unknown>) {
  const { rows, total } = answer;
  const { page = 1, perPage = 25 } = query ?? {};
  const path = request.url.split('?')[0] ?? '';
  const last = Math.max(1, Math.ceil(total / perPage));
  const link = (n: number) => { const p = new URLSearchParams(request.url.split('?')[1] ?? ''); p.set('page', String(n)); return `${path}?${p}`; };
  const known = knownKeys(e.query as never);
  const ignored = known ? Object.keys(raw).filter((k) => !known.has(k)) : [];
  if (ignored.length && (raw['strict'] === '1' || raw['strict'] === true)) invalid(Object.fromEntries(ignored.map((k) => [k, 'This filter is not known.'])));
  return {
    data: rows,
    links: { first: link(1), last: link(last), prev: page > 1 ? link(page - 1) : null, next: page < last ? link(page + 1) : null },
    meta: {
      current_page: page, from: rows.length ? (page - 1) * perPage + 1 : null, last_page: last, path, per_page: perPage,
      to: rows.length ? (page - 1) * perPage + rows.length : null, total, ...(ignored.length ? { ignored } : {}), ...answer.meta,
    },
  };
}

/** Outside production every success must parse against its own contract; a lie is found in a test, not by a customer. */
function checkAnswer(e: AnyEndpoint, body: unknown) {
  const read = e.answer.safeParse(JSON.parse(JSON.stringify(body ?? null)));
  if (!read.success) throw new Error(`${e.name} answered outside its contract: ${JSON.stringify(read.error.issues.slice(0, 5))}`);
}

export const requestId = () => randomUUID();
