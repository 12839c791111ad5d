import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { ApiErrorCode, DescribedEndpoint } from '#contract';
import { auditOnce } from '../audit.ts';
import { createCtx, type Actor, type Ctx, type OutboxNotifier, type Services } from '../context.ts';
import { ApiError } from '../errors.ts';
import { field, parseId } from './request-fields.ts';

/** 403s that ask for a step or state a fact about calling, and don't refuse a right. */
const notOfRights: ReadonlySet<ApiErrorCode | 'invalid'> = new Set<ApiErrorCode>([
  'csrf_mismatch',
  'cross_site',
  'link.expired',
  'signup.closed',
  'confirmation.required',
  'mfa.setup_required',
  'admin.read_only',
  'admin.factor_required',
  'calling.not_set_up',
  'calling.blocked',
  'calling.emergency',
]);

/** A person leaves one row an endpoint in this time, so that trying again floods no log. */
const ONCE_IN_MS = 60 * 60_000;
/** Companies that a refusal outside of any company is written to. */
const MOST_COMPANIES = 20;
/** What this process wrote lately; only spares the question to the database. */
const MOST_REMEMBERED = 10_000;

/**
 * Writes that a person, or a key or program of theirs, was refused a right: who, what, why and from
 * where, into the log of the company that refused. What is of no company is written to each of the
 * person's. Never fails: a log that can't be written must not change what the person is told.
 */
export function createRefusalAudit(services: Services, notifier: OutboxNotifier) {
  const written = new Map<string, number>();
  const isNew = (key: string, at: number): boolean => {
    if (at - (written.get(key) ?? -ONCE_IN_MS) < ONCE_IN_MS) return false;
    written.delete(key);
    written.set(key, at);
    for (const oldest of written.keys()) {
      if (written.size <= MOST_REMEMBERED) break;
      written.delete(oldest);
    }
    return true;
  };
  return async (
    error: unknown,
    e: DescribedEndpoint,
    actor: Actor,
    request: FastifyRequest,
  ): Promise<void> => {
    if (!(error instanceof ApiError) || error.status !== 403 || notOfRights.has(error.code)) return;
    if (!actor.userId) return;
    const now = services.now();
    try {
      for (const companyId of await companiesOf(services, error, e, actor, request.params)) {
        const key = `${companyId}:${actor.userId}:${e.name}`;
        if (!isNew(key, now.getTime())) continue;
        const ctx = ctxOf(services, notifier, companyId, actor, request);
        await write(ctx, e, error).catch((problem: unknown) => {
          written.delete(key);
          throw problem;
        });
      }
    } catch (problem) {
      services.log.warn({ err: problem, endpoint: e.name }, 'a refusal was not audited');
    }
  };
}

function ctxOf(
  services: Services,
  notifier: OutboxNotifier,
  companyId: number,
  actor: Actor,
  request: FastifyRequest,
): Ctx {
  const isStaff = actor.staff && actor.adminMode;
  const own = actor.memberships.find((m) => m.companyId === companyId)?.roles;
  const roles = isStaff ? (['platform'] as const) : (own ?? (['deactivated'] as const));
  const origin = { ip: request.ip, userAgent: request.headers['user-agent'] ?? null };
  return createCtx(
    { ...services, db: services.db.forRequests },
    { companyId, actor, roles, grant: 'none', numbers: null, requestId: request.id, origin },
    notifier,
  );
}

function write(ctx: Ctx, e: DescribedEndpoint, error: ApiError): Promise<void> {
  const after = {
    name: whatOf(e),
    request: `${e.method} ${e.path}`,
    code: error.code,
    message: error.message,
  };
  const since = new Date(ctx.now.getTime() - ONCE_IN_MS);
  return ctx.transaction((t) =>
    auditOnce(t, 'access.refused', `request:${e.name}`, { after }, since),
  );
}

/** What was asked for, in a few words: the summary's beginning. */
const whatOf = ({ summary }: DescribedEndpoint): string =>
  (summary.split(/[.:;,(]/)[0] ?? summary).trim().slice(0, 100);

/** The companies whose log it belongs to: only those that the actor has something to do with. */
async function companiesOf(
  { db }: Services,
  { companyId }: ApiError,
  e: DescribedEndpoint,
  actor: Actor,
  params: unknown,
): Promise<readonly number[]> {
  if (companyId) return [companyId];
  const own = actor.memberships.map((m) => m.companyId).slice(0, MOST_COMPANIES);
  if (e.company !== 'organization' || !own.length) return own;
  const organizationId = parseId(field(params, 'organizationId') ?? field(params, 'id'));
  const { rows } = await sql<{ id: number }>`select id from company
    where organization_id = ${organizationId} and id = any(${own}::bigint[])`.execute(db.unscoped);
  return rows.map(({ id }) => id);
}
