import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DescribedEndpoint, PageAnswer } from '#contract';
import { endpoints, identity, needsConfirmation, permissionKeys } from '#contract';
import { createCtx, type Actor, type OutboxNotifier, type Services } from '../context.ts';
import { ApiError, fail, inCompany, notFound, problemBody } from '../errors.ts';
import type { Handler, Http, Routes } from '../routes.ts';
import { createRefusalAudit } from './audit-refusal.ts';
import { createAuthentication, type Authenticator } from './authenticate.ts';
import { etagOf, isClientCopyCurrent, withIfMatch } from './etag.ts';
import { requireFeatures } from './feature-guard.ts';
import { withIdempotency } from './idempotency.ts';
import { parseInput, parseParams, requirePlainJson } from './parse-input.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { MultipartForm } from './read-form.ts';
import { changesByGet, goneSignal, isWrite, laneOf } from './request-lane.ts';
import type { BodyReader } from './request-bodies.ts';
import { field } from './request-fields.ts';
import { checkResponse, pageEnvelope, withIgnoredFields } from './response.ts';
import { sendError, sendUnauthenticated } from './send-error.ts';
import { grantInAnyCompany, requestedCompany, resolveTenant, type Tenant } from './tenant.ts';
import { requireAdminWrites, traceAdmin } from './trace-admin.ts';
import { UnknownFields } from './unknown-fields.ts';

/** Largest body read from an unauthenticated sender, in bytes. */
const PUBLIC_BODY_BYTES = 64 * 1024;

interface Dispatch {
  services: Services;
  notifier: OutboxNotifier;
  authenticator: Authenticator;
  authentication: ReturnType<typeof createAuthentication>;
  rateLimiter: RateLimiter;
  bodies: BodyReader;
  auditRefusal: ReturnType<typeof createRefusalAudit>;
  /** By the endpoint's name. */
  handlers: ReadonlyMap<string, Handler>;
}

/** One request to a known endpoint. */
interface Call {
  e: DescribedEndpoint;
  handler: Handler;
  request: FastifyRequest;
  reply: FastifyReply;
  actor: Actor;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
}

/**
 * Registers every endpoint of the contract under /api, and the error handlers.
 * @throws Error when an endpoint has no known permission or no handler, or a handler has no
 * endpoint
 */
export function registerRoutes(
  app: FastifyInstance,
  services: Services,
  authenticator: Authenticator,
  rateLimiter: RateLimiter,
  bodies: BodyReader,
  notifier: OutboxNotifier,
  routes: readonly Routes[],
): void {
  const handlers = new Map(routes.flatMap(({ byName }) => [...byName]));
  checkRoutes(handlers);
  const authentication = createAuthentication(authenticator);
  const dispatch: Dispatch = {
    services,
    notifier,
    authenticator,
    authentication,
    rateLimiter,
    bodies,
    auditRefusal: createRefusalAudit(services, notifier),
    handlers,
  };
  for (const e of endpoints) registerEndpoint(app, dispatch, e);
  registerMethodOverrides(app, dispatch);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send(problemBody(new ApiError('not_found'), request.id)),
  );
}

function checkRoutes(handlers: ReadonlyMap<string, Handler>): void {
  for (const { name, permission, etagOf: detail } of endpoints) {
    const isOpen = permission === 'public' || permission === 'session';
    if (!isOpen && !permissionKeys.includes(permission))
      throw new Error(`${name} declares no known permission`);
    if (!handlers.has(name)) throw new Error(`${name} has no route`);
    if (detail && typeof handlers.get(detail) !== 'function')
      throw new Error(
        `${name} compares with ${detail}, which does not answer within a transaction`,
      );
  }
  const names = new Set(endpoints.map(({ name }) => name));
  const unused = [...handlers.keys()].filter((name) => !names.has(name));
  if (unused.length) throw new Error(`routes without an endpoint: ${unused.join(', ')}`);
}

const urlOf = (path: string): string => `/api${path.replace(/\{(\w+)\}/g, ':$1')}`;

function registerEndpoint(app: FastifyInstance, dispatch: Dispatch, e: DescribedEndpoint): void {
  const isPublic = e.permission === 'public';
  const changes = e.method !== 'GET' || changesByGet(e);
  app.route({
    method: e.method,
    url: urlOf(e.path),
    exposeHeadRoute: !changes,
    ...(isPublic && { bodyLimit: PUBLIC_BODY_BYTES }),
    onRequest: (request, reply) =>
      dispatch.authentication.authenticate(
        { isPublic, isWrite: changes, audience: e.audience },
        request,
        reply,
      ),
    // Recordings and pictures are compressed already, and players request ranges of them.
    ...(e.binary && { compress: false }),
    // What scripts on websites send is answered with nothing, or a few bytes that no page opens.
    ...(e.limit === 'visits' && { compress: false, helmet: false }),
    handler: (request, reply) => handle(dispatch, e, request, reply),
  });
}

/** POST with `_method` PUT, PATCH or DELETE (A1), where the path has no POST of its own. */
function registerMethodOverrides(app: FastifyInstance, dispatch: Dispatch): void {
  const byPath = new Map<string, DescribedEndpoint[]>();
  for (const e of endpoints) byPath.set(e.path, [...(byPath.get(e.path) ?? []), e]);
  for (const [path, siblings] of byPath) {
    const isOverridden =
      siblings.every((e) => e.method !== 'POST') && siblings.some((e) => e.method !== 'GET');
    if (!isOverridden) continue;
    // A form names its method in its body, which is only read for a sender who may send it, so it
    // must be clear which endpoint is meant.
    const forms = siblings.filter((e) => e.multipart);
    if (forms.length > 1)
      throw new Error(`${path} takes forms by more than one method and has no POST`);
    const isPublic = siblings.every((e) => e.permission === 'public');
    const [audience, ...others] = new Set(siblings.map((e) => e.audience));
    if (!audience || others.length) throw new Error(`${path} is for several audiences`);
    app.route({
      method: 'POST',
      url: urlOf(path),
      onRequest: (request, reply) =>
        dispatch.authentication.authenticate({ isPublic, isWrite: true, audience }, request, reply),
      handler: async (request, reply) => {
        const wanted = methodOverride(request.query) ?? methodOverride(request.body);
        const isForm = request.isMultipart() && wanted === null;
        const e = isForm
          ? (forms[0] ?? fail('form.not_taken'))
          : (siblings.find(({ method }) => method === wanted) ?? notFound());
        return handle(dispatch, e, request, reply, { isMethodInForm: wanted === null });
      },
    });
  }
}

/** `_method` of a query or body (A1), in capitals; null when there is none. */
function methodOverride(value: unknown): string | null {
  const method = field(value, '_method');
  return typeof method === 'string' && method ? method.toUpperCase() : null;
}

/** @param isMethodInForm the method is a field of the form, and must be this endpoint's */
const handle = (
  dispatch: Dispatch,
  e: DescribedEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  { isMethodInForm = false } = {},
): Promise<unknown> =>
  answer(dispatch, e, request, reply, isMethodInForm).catch(async (error: unknown) => {
    await dispatch.auditRefusal(error, e, dispatch.authentication.actorOf(request), request);
    throw error;
  });

async function answer(
  dispatch: Dispatch,
  e: DescribedEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  isMethodInForm: boolean,
): Promise<unknown> {
  if (e.opensSession) dispatch.authenticator.checkSignInOrigin(request);
  const actor = dispatch.authentication.actorOf(request);
  if (e.permission !== 'public' && !actor.userId) return sendUnauthenticated(reply, request);
  // Before the scopes, which a remote login has like a program: its staff are told what to do.
  requireAdminWrites(e, actor);
  requireScope(e, actor, reply);
  const handler = dispatch.handlers.get(e.name) ?? notFound();
  const params = parseParams(e, request.params);
  const query = requirePlainJson(request.query ?? {}, 'query') as Record<string, unknown>;
  const call: Call = { e, handler, request, reply, actor, params, query };
  if (request.isMultipart()) return handleForm(dispatch, call, isMethodInForm);
  const body = requirePlainJson(request.body, 'body');
  const tenant = await resolveTenant(dispatch.services.db, e, actor, { params, query, body });
  await dispatch.rateLimiter.consume(request, reply, limitedBy(actor, tenant), e);
  return runHandler(dispatch, call, tenant, request.body, []);
}

/** @throws ApiError `scope.missing` for a program's token that is limited to other things */
function requireScope(e: DescribedEndpoint, actor: Actor, reply: FastifyReply): void {
  if (!actor.scopes || identity.scopeAllows(actor.scopes, e)) return;
  const scope = identity.requiredScope(e) ?? fail('scope.session_only');
  void reply.header('www-authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
  fail('scope.missing', { scope });
}

const limitedBy = (actor: Actor, tenant: Tenant | null) => ({
  userId: actor.userId,
  companyId: tenant?.companyId ?? 0,
});

async function handleForm(
  dispatch: Dispatch,
  call: Call,
  isMethodInForm: boolean,
): Promise<unknown> {
  const { e, request, reply, actor, params, query } = call;
  const { db } = dispatch.services;
  if (!e.multipart) return fail('form.not_taken');
  // A form may name its company among its fields, so it is read for senders who may do this in any
  // company.
  const isCompanyKnown = e.company !== 'given' || requestedCompany(query, undefined) > 0;
  const known = isCompanyKnown
    ? await resolveTenant(db, e, actor, { params, query, body: undefined })
    : null;
  if (!known && !grantInAnyCompany(e, actor)) return fail('role.forbidden');
  await dispatch.rateLimiter.consume(request, reply, limitedBy(actor, known), e);
  const form = await dispatch.bodies.readForm(request);
  try {
    requirePlainJson(form.fields, 'body');
    if (isMethodInForm && methodOverride(form.fields) !== e.method) return notFound();
    const tenant =
      known ?? (await resolveTenant(db, e, actor, { params, query, body: form.fields }));
    const named = requestedCompany(undefined, form.fields);
    if (e.company === 'object' && named && named !== tenant.companyId) return notFound();
    if (!known) await dispatch.rateLimiter.consumeCompany(request, reply, tenant.companyId, e);
    return await runHandler(dispatch, call, tenant, form.fields, form.files);
  } finally {
    await form.remove();
  }
}

const runHandler = (...run: Parameters<typeof runInCompany>): Promise<unknown> =>
  runInCompany(...run).catch((error: unknown) => {
    throw inCompany(error, run[2].companyId);
  });

async function runInCompany(
  { services, notifier, handlers, authenticator }: Dispatch,
  { e, handler, request, reply, actor, params, query }: Call,
  { companyId, organizationId, roles, grant, numbers }: Tenant,
  body: unknown,
  files: MultipartForm['files'],
): Promise<unknown> {
  await requireFeatures(services.db, e, actor, companyId);
  const http: Http = { request, reply, files, ip: request.ip };
  const readDetail = e.etagOf ? handlers.get(e.etagOf) : undefined;
  const unknown = new UnknownFields(e, { params, query, body });
  const user = { companyId, personId: actor.userId };
  const ctx = createCtx(
    {
      ...services,
      db: services.db.inLane(laneOf(e), user, isWrite(e) ? undefined : goneSignal(reply)),
    },
    {
      ...{ companyId, organizationId, actor, roles, grant, numbers },
      requestId: request.id,
      origin: { ip: request.ip, userAgent: request.headers['user-agent'] ?? null },
      onUnknownField: unknown.report,
    },
    notifier,
  );
  const rejected = await unknown.rejected(ctx, readDetail, http);
  const input = { params, ...parseInput(e, query, body ?? {}, rejected) };
  // After the input, so that nobody is asked for a password and then told of a wrong field.
  if (needsConfirmation(e, input.body)) await authenticator.requireConfirmation(actor);
  await traceAdmin(e, ctx);
  services.contactDetails.checkSearch(ctx, e, [input.query, input.body]);
  const shown = <T>(value: T) => services.contactDetails.inResponse(ctx, e, value);
  const guarded = withIfMatch(e, handler, readDetail, request, query, shown);
  const answer = await withIdempotency(e, ctx, guarded, input, http).catch(async (error) => {
    throw await services.contactDetails.inError(ctx, e, error);
  });
  const result = reply.sent ? answer : await shown(answer);
  if (reply.sent) return reply;
  if (e.status === 204) return reply.code(204).send();
  const response = e.paged
    ? pageEnvelope(
        result as PageAnswer<unknown>,
        request,
        ((e.method === 'POST' ? input.body : input.query) ?? {}) as object,
      )
    : result;
  if (!services.settings.production) checkResponse(e, response);
  if (e.method === 'GET' && !e.paged) {
    const tag = etagOf(response);
    void reply.header('etag', tag);
    if (isClientCopyCurrent(request, tag, response)) return reply.code(304).send();
  }
  return reply
    .code(reply.statusCode === 200 ? e.status : reply.statusCode)
    .send(unknown.ignored.size ? withIgnoredFields(response, [...unknown.ignored]) : response);
}
