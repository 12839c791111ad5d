import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  createCtx,
  systemActor,
  type Ctx,
  type OutboxNotifier,
  type Services,
} from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { knownError } from '../../../platform/errors.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { organizationRow } from '../organizations/store.ts';
import { changeGroup, createGroup, removeGroup } from './groups.ts';
import {
  groupSchema,
  parseScim,
  patchSchema,
  ScimError,
  scimNotFound,
  userSchema,
} from './messages.ts';
import { list, readList } from './lists.ts';
import { readGroupPatch, readUserPatch } from './patch.ts';
import {
  presentGroup,
  presentUser,
  resourceTypes,
  schemaDocuments,
  serviceConfig,
} from './present.ts';
import { listScimUsers, organizationOfToken, scimUser } from './store.ts';
import { listScimGroups, scimGroup } from './store-groups.ts';
import { changeUser, createUser, removeUser } from './users.ts';

// The system role: a directory is known by its token, and is of an organization, above companies.

const mountedAt = '/scim/v2';
const MEDIA_TYPE = 'application/scim+json; charset=utf-8';
/** Requests of one directory a minute: first synchronizations send thousands. */
const PER_MINUTE = 1200;

type Answer = { status?: number; body?: object };
type Handler = (
  ctx: Ctx,
  tx: Tx,
  request: { id: string; query: Record<string, unknown>; body: unknown },
) => Promise<Answer>;

/**
 * SCIM 2.0 (RFC 7643 and 7644): an organization's directory keeps its people up to date. It isn't part
 * of the contract, whose answers and errors have another form.
 */
export const scimRoutes =
  (services: Services, notifier: OutboxNotifier) =>
  async (app: FastifyInstance): Promise<void> => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1_000_000 }, (_, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error: Error, _request, reply) => {
      const known = knownError(error);
      if (!known) throw error;
      return sendScimError(reply, new ScimError(known.status, known.message));
    });
    const base = `${services.settings.publicUrl}${mountedAt}`;
    const serve = (
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      url: string,
      run: Handler,
    ) =>
      app.route({
        ...{ method, url: `${mountedAt}${url}` },
        config: {
          rateLimit: {
            ...{ max: PER_MINUTE, timeWindow: 60_000 },
            keyGenerator: (request: FastifyRequest) => hashToken(bearerOf(request) ?? request.ip),
          },
        },
        handler: (request, reply) => answer(services, notifier, run, request, reply),
      });
    const fixed = (url: string, of: () => object) =>
      serve('GET', url, () => Promise.resolve({ body: of() }));
    const listOf = (rows: readonly object[]) => list(rows, { total: rows.length, startIndex: 1 });
    fixed('/ServiceProviderConfig', () => serviceConfig(base));
    fixed('/ResourceTypes', () => listOf(resourceTypes(base)));
    fixed('/Schemas', () => listOf(schemaDocuments(base)));
    serve('GET', '/ResourceTypes/:id', async (_, __, { id }) => ({
      body: resourceTypes(base).find((one) => one.id === id) ?? scimNotFound(),
    }));
    serve('GET', '/Schemas/:id', async (_, __, { id }) => ({
      body: schemaDocuments(base).find((one) => one.id === id) ?? scimNotFound(),
    }));
    serveUsers(serve, base);
    serveGroups(serve, base);
  };

type Serve = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  run: Handler,
) => unknown;

function serveUsers(serve: Serve, base: string): void {
  serve('GET', '/Users', async (ctx, tx, { query }) => {
    const { filter, limit, offset } = readList(query);
    const { rows, total } = await listScimUsers(tx, ctx.organizationId, filter, { limit, offset });
    const users = rows.map((row) => presentUser(base, row));
    return { body: list(users, { total, startIndex: offset + 1 }) };
  });
  serve('GET', '/Users/:id', async (ctx, tx, { id }) => ({
    body: presentUser(base, (await scimUser(tx, ctx.organizationId, id)) ?? scimNotFound()),
  }));
  serve('POST', '/Users', async (ctx, tx, { body }) => ({
    status: 201,
    body: presentUser(base, await createUser(ctx, tx, parseScim(userSchema, body))),
  }));
  serve('PUT', '/Users/:id', async (ctx, tx, { id, body }) => ({
    body: presentUser(base, await changeUser(ctx, tx, id, parseScim(userSchema, body))),
  }));
  serve('PATCH', '/Users/:id', async (ctx, tx, { id, body }) => {
    const patch = readUserPatch(parseScim(patchSchema, body).Operations);
    return { body: presentUser(base, await changeUser(ctx, tx, id, patch)) };
  });
  serve('DELETE', '/Users/:id', async (ctx, tx, { id }) => {
    await removeUser(ctx, tx, id);
    return { status: 204 };
  });
}

function serveGroups(serve: Serve, base: string): void {
  serve('GET', '/Groups', async (ctx, tx, { query }) => {
    const { filter, limit, offset } = readList(query);
    const { rows, total } = await listScimGroups(tx, ctx.organizationId, filter, { limit, offset });
    // Entra ID leaves the members out, which can be many.
    const withMembers = !/(^|,)\s*members\s*(,|$)/i.test(String(query['excludedAttributes'] ?? ''));
    const groups = rows.map((row) => presentGroup(base, row, withMembers));
    return { body: list(groups, { total, startIndex: offset + 1 }) };
  });
  serve('GET', '/Groups/:id', async (ctx, tx, { id, query }) => {
    const row = (await scimGroup(tx, ctx.organizationId, id)) ?? scimNotFound();
    const withMembers = !/members/i.test(String(query['excludedAttributes'] ?? ''));
    return { body: presentGroup(base, row, withMembers) };
  });
  serve('POST', '/Groups', async (ctx, tx, { body }) => ({
    status: 201,
    body: presentGroup(base, await createGroup(ctx, tx, parseScim(groupSchema, body))),
  }));
  serve('PUT', '/Groups/:id', async (ctx, tx, { id, body }) => {
    const { members, ...values } = parseScim(groupSchema, body);
    const ids = (members ?? []).map((one) => one.value);
    const patch = { ...values, members: [{ op: 'replace' as const, ids }] };
    return { body: presentGroup(base, await changeGroup(ctx, tx, id, patch)) };
  });
  serve('PATCH', '/Groups/:id', async (ctx, tx, { id, body }) => {
    const patch = readGroupPatch(parseScim(patchSchema, body).Operations);
    return { body: presentGroup(base, await changeGroup(ctx, tx, id, patch)) };
  });
  serve('DELETE', '/Groups/:id', async (ctx, tx, { id }) => {
    await removeGroup(ctx, tx, id);
    return { status: 204 };
  });
}

const bearerOf = (request: FastifyRequest): string | undefined =>
  /^Bearer (\S{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];

/** Runs a request in one transaction, with its organization locked, so that they follow each other. */
async function answer(
  services: Services,
  notifier: OutboxNotifier,
  run: Handler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  void reply.header('content-type', MEDIA_TYPE);
  try {
    const found = await services.db.systemTransaction((tx) =>
      organizationOfToken(tx, hashToken(bearerOf(request) ?? ''), services.now()),
    );
    if (found === undefined)
      throw new ScimError(401, 'This token isn’t valid. Make one under Single sign-on.');
    const ctx = directoryCtx(services, notifier, request, found);
    const said = {
      id: String((request.params as { id?: string }).id ?? ''),
      query: request.query as Record<string, unknown>,
      body: request.method === 'GET' ? undefined : readBody(request.body),
    };
    const { status = 200, body } = await services.db.systemTransaction(async (tx) => {
      if (request.method !== 'GET') await organizationRow(tx, found, true);
      return run(ctx, tx, said);
    });
    notifier.notify();
    return await reply.code(status).send(body ? JSON.stringify(body) : undefined);
  } catch (error) {
    if (!(error instanceof ScimError)) throw error;
    return sendScimError(reply, error);
  }
}

function sendScimError(reply: FastifyReply, error: ScimError): FastifyReply {
  if (error.status === 401) void reply.header('www-authenticate', 'Bearer');
  void reply.header('content-type', MEDIA_TYPE);
  return reply.code(error.status).send(JSON.stringify(error.body()));
}

function readBody(body: unknown): unknown {
  if (typeof body !== 'string' || body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new ScimError(400, 'The body isn’t JSON.', 'invalidSyntax');
  }
}

/** The directory of an organization acts: in its name it is in the logs. */
const directoryCtx = (
  services: Services,
  notifier: OutboxNotifier,
  request: FastifyRequest,
  organizationId: number,
): Ctx =>
  createCtx(
    services,
    {
      ...{ companyId: 0, organizationId, grant: 'all', numbers: null, roles: ['platform'] },
      actor: { ...systemActor, kind: 'directory', name: 'Directory' },
      requestId: request.id,
      origin: { ip: request.ip, userAgent: request.headers['user-agent'] ?? null },
    },
    notifier,
  );
