import { sql } from 'kysely';
import { grantOf, type DescribedEndpoint, type EffectiveRole, type Grant } from '#contract';
import { accessTo, grantIn, numbersIn, requireUnblocked } from '../access.ts';
import type { Actor } from '../context.ts';
import type { Db } from '../db.ts';
import { fail, inCompany, notFound } from '../errors.ts';
import { field, parseId } from './request-fields.ts';

/** The company a request acts in, and what the actor may do there. */
export interface Tenant {
  /** 0: no company. */
  companyId: number;
  /** The organization a request acts in; absent: none. */
  organizationId?: number;
  /** All roles that the actor acts in at once. */
  roles: readonly EffectiveRole[];
  grant: Grant;
  /** Numbers the actor is limited to; null: all. */
  numbers: readonly number[] | null;
}
interface TenantRequest {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  /** Undefined while a form has not been read. */
  body: unknown;
}

/** `companyId` or `company_id` of a query or body; 0 if neither names one. */
export const requestedCompany = (query: unknown, body: unknown): number =>
  parseId(
    field(query, 'companyId') ??
      field(query, 'company_id') ??
      field(body, 'companyId') ??
      field(body, 'company_id'),
  );

/** The actor's grant in the first company that allows it at all; undefined: none. */
export function grantInAnyCompany(e: DescribedEndpoint, actor: Actor): Grant | undefined {
  const { permission } = e;
  if (isPlatformStaff(actor) || permission === 'session' || permission === 'public') return 'all';
  return actor.memberships
    .map((access) => grantIn(access, permission))
    .find((grant) => grant !== 'none');
}

/**
 * The company a request acts in, by the endpoint's `company`, and what the actor may do there.
 * @throws ApiError `not_found` for a company or object that is missing or another's (one answer for
 * both, so that existence is not revealed), `role.forbidden`, `company_required`, or what
 * blocks the actor there
 */
export async function resolveTenant(
  db: Db,
  e: DescribedEndpoint,
  actor: Actor,
  request: TenantRequest,
): Promise<Tenant> {
  if (isOfAnyCompany(e)) {
    const grant = grantInAnyCompany(e, actor) ?? fail('role.forbidden');
    const roles = actor.memberships[0]?.roles ?? ['platform'];
    return { companyId: 0, roles, grant, numbers: null };
  }
  if (e.company === 'organization') return tenantOfOrganization(db, e, actor, request.params);
  const companyId = await companyOfRequest(db, e, actor, request);
  if (!companyId) return { companyId: 0, roles: ['user'], grant: 'all', numbers: null };
  return tenantOf(e, actor, companyId);
}

const isPlatformStaff = (actor: Actor): boolean => actor.staff && actor.adminMode;

/**
 * Not tied to a company, yet a row of the permission matrix (POST /companies): any membership that
 * grants it is enough.
 */
const isOfAnyCompany = (e: DescribedEndpoint): boolean =>
  e.company === 'none' && e.permission !== 'public' && e.permission !== 'session';

/**
 * An organization of the actor: one that they own or administer, or of one of their companies. What
 * an API key may do ends with its company.
 */
async function tenantOfOrganization(
  db: Db,
  e: DescribedEndpoint,
  actor: Actor,
  params: Record<string, unknown>,
): Promise<Tenant> {
  const organizationId = Number(params['organizationId'] ?? params['id']);
  const companyIds = actor.memberships.map((m) => m.companyId);
  const { rows } = await sql<{ is_admin: boolean; company_ids: number[] }>`
    select o.owner_id = ${actor.userId} or exists (select from organization_admin a
        where a.organization_id = o.id and a.user_id = ${actor.userId}) is_admin,
      array(select c.id from company c where c.organization_id = o.id
        and c.id = any(${companyIds}::bigint[])) company_ids
    from organization o where o.id = ${organizationId}`.execute(db.unscoped);
  const found = rows[0] ?? notFound();
  const at = { companyId: 0, organizationId, numbers: null };
  if (isPlatformStaff(actor)) return { ...at, roles: ['platform'], grant: 'all' };
  const isAdmin = Boolean(found.is_admin) && actor.kind === 'user';
  if (!isAdmin && !found.company_ids.length) return notFound();
  if (actor.keptOut?.organizationId === organizationId)
    fail(actor.keptOut.by.code, actor.keptOut.by.facts);
  if (!isAdmin) return fail('role.forbidden');
  // Whom every one of its companies keeps out doesn't get at them through the organization.
  const inside = actor.memberships.filter((m) => found.company_ids.includes(m.companyId));
  if (inside.every((access) => access.blockedBy)) inside.slice(0, 1).forEach(requireUnblocked);
  const { permission } = e;
  const isOpen = permission === 'public' || permission === 'session';
  const grant = isOpen ? 'all' : grantOf('org-administrator', permission);
  if (grant === 'none') return fail('role.forbidden');
  return { ...at, roles: ['org-administrator'], grant };
}

async function companyOfRequest(
  db: Db,
  e: DescribedEndpoint,
  actor: Actor,
  { params, query, body }: TenantRequest,
): Promise<number> {
  const given = requestedCompany(query, body);
  if (e.company === 'account') return actor.accountId || notFound();
  if (e.company === 'path') return Number(params['companyId'] ?? params['id']);
  if (e.company === 'given') {
    const named =
      given ||
      (e.object ? await companyOfObject(db, e.object, actor, params[e.object.param], 0) : 0);
    return named || onlyCompanyOfKey(actor) || fail('company_required');
  }
  if (e.company === 'object') {
    // The object's id is in the path or, for POST /v1/calls/token, in the query or body.
    const key = e.object?.param ?? 'id';
    const id = params[key] ?? parseId(query[key] ?? field(body, key));
    if (!e.object) return notFound();
    return (await companyOfObject(db, e.object, actor, id, given)) || fail('company_required');
  }
  return 0;
}

/** An API key of one company does not need to name it. */
const onlyCompanyOfKey = (actor: Actor): number =>
  actor.kind === 'key' && actor.memberships.length === 1
    ? (actor.memberships[0]?.companyId ?? 0)
    : 0;

function tenantOf(e: DescribedEndpoint, actor: Actor, companyId: number): Tenant {
  const access = accessTo(actor, companyId);
  const { permission } = e;
  if (!access) {
    if (permission !== 'public') return notFound();
    return { companyId, roles: ['user'], grant: 'none', numbers: null };
  }
  try {
    requireUnblocked(access);
    // What needs only a session is still about the company, and so for those who get into it.
    const needed = permission === 'session' ? 'company.view' : permission;
    const grant = needed === 'public' ? 'all' : grantIn(access, needed);
    if (grant === 'none') return fail('role.forbidden');
    return { companyId, roles: access.roles, grant, numbers: numbersIn(access, grant) };
  } catch (error) {
    throw inCompany(error, companyId);
  }
}

/**
 * The company, among the actor's, whose object this is. 0: several companies share it, so the
 * request must name one.
 * @param given the company that the request names; 0: none
 */
async function companyOfObject(
  db: Db,
  object: NonNullable<DescribedEndpoint['object']>,
  actor: Actor,
  value: unknown,
  given: number,
): Promise<number> {
  // A string is a UUID that the path's schema has checked: no other value reaches the query as sent.
  const id = typeof value === 'string' ? value : parseId(value);
  if (!id) return notFound();
  const own = actor.memberships.map((m) => m.companyId).filter((c) => !given || c === given);
  const isStaff = isPlatformStaff(actor);
  if (!own.length && !isStaff) return notFound();
  const isVisible = isStaff ? sql`true` : sql`company_id = any(${own}::bigint[])`;
  const { rows } = await sql<{ company_id: number }>`
    select company_id from ${sql.table(object.table)}
      where ${isVisible} and id = ${id} limit 1`.execute(db.unscoped);
  if (rows[0] || !object.shared) return rows[0]?.company_id ?? notFound();
  const isOwn = isStaff ? sql`true` : sql`c.id = any(${own}::bigint[])`;
  const shared = await sql<{ company_id: number }>`
    select c.id company_id from ${sql.table(object.shared)} s
    join company c on c.organization_id = s.organization_id
    where ${isOwn} and s.id = ${id} limit 2`.execute(db.unscoped);
  return shared.rows.length > 1 ? 0 : (shared.rows[0]?.company_id ?? notFound());
}
