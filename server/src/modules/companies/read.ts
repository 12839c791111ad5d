import {
  grantOf,
  permissionKeys,
  roleList,
  roleRank,
  type Answer,
  type EffectiveRole,
  type PageAnswer,
  type Query,
  type companies as contract,
} from '#contract';
import { entityOf } from '#contract/field-rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { missing } from '../../platform/refuse.ts';
import { valuesOf } from '../fields/index.ts';
import { briefOf, personById, plainMoment, sipOf } from '../identity/index.ts';
import { presentCompany, presentSlim } from './present.ts';
import {
  companiesByIds,
  companyBySlugOrId,
  companyRow,
  countsOf,
  demoPersons,
  everyCompanyId,
  membersOf,
  numbersOf,
  organizationsOf,
  peopleCount,
  pinsOf,
  type MemberRow,
} from './store.ts';

type Row<E> = Answer<E> extends { data: (infer R)[] } ? R : never;

/** GET /user: the person, their companies, and what they may do in the company named. */
export async function getUser(
  ctx: Ctx,
  query: Query<typeof contract.getUser>,
): Promise<Answer<typeof contract.getUser>> {
  const db = ctx.db.directory;
  const p = (await personById(db, ctx.actor.userId)) ?? missing();
  const places = ctx.actor.memberships.filter((m) => m.role !== 'deactivated');
  const rows = await companiesByIds(
    db,
    places.map((m) => m.companyId),
  );
  const [organizations, pins] = await Promise.all([
    organizationsOf(
      db,
      p.id,
      rows.map((c) => c.id),
    ),
    pinsOf(db, p.id),
  ]);
  const chosen =
    places.find((m) => m.companyId === (query.companyId ?? query.company_id)) ?? places[0];
  const role: EffectiveRole | null = ctx.actor.adminMode ? 'platform' : (chosen?.role ?? null);
  const permissions: Record<string, 'all' | 'assigned' | 'own'> = {};
  for (const key of permissionKeys) {
    const grant = role ? grantOf(role, key, chosen?.switches) : 'none';
    if (grant !== 'none') permissions[key] = grant;
  }
  return {
    data: {
      ...briefOf(p),
      support_pins: pins,
      read_whats_new_at: p.read_whats_new_at && plainMoment(p.read_whats_new_at),
      hasBusinessUnits: organizations.some((o) => o.is_admin),
      ...sipOf(ctx.settings.appSecret, p),
      companies: rows.map((c) => presentSlim(c, places.find((m) => m.companyId === c.id)!.role)),
      organizations,
      is_admin: ctx.actor.adminMode,
      is_staff: ctx.actor.staff,
      mfa_enabled: false,
      permissions,
      created_at: p.created_at.toISOString(),
    },
  };
}

/** GET /roles. Assignable: not above the caller's own role, and ownership moves only by transfer. */
export async function listRoles(
  ctx: Ctx,
  query: Query<typeof contract.listRoles>,
): Promise<Answer<typeof contract.listRoles>> {
  const place =
    ctx.actor.memberships.find((m) => m.companyId === (query.companyId ?? query.company_id)) ??
    ctx.actor.memberships[0];
  const mine = ctx.actor.adminMode ? 'platform' : (place?.role ?? 'deactivated');
  const mayEdit = grantOf(mine, 'users.edit') !== 'none';
  return {
    data: roleList.map((r) => ({
      ...r,
      assignable:
        mayEdit && r.id !== 'owner' && r.id !== 'deactivated' && roleRank[r.id] <= roleRank[mine],
    })),
  };
}

export async function listCompaniesSlim(
  ctx: Ctx,
  query: Query<typeof contract.listCompaniesSlim>,
): Promise<PageAnswer<Row<typeof contract.listCompaniesSlim>>> {
  const places = new Map(
    ctx.actor.memberships.filter((m) => m.role !== 'deactivated').map((m) => [m.companyId, m.role]),
  );
  const everywhere = ctx.actor.adminMode
    ? await everyCompanyId(ctx.db.directory)
    : [...places.keys()];
  const wanted = query.search?.toLowerCase();
  const rows = (await companiesByIds(ctx.db.directory, everywhere)).filter(
    (c) =>
      (!query.excludeDeactivated || c.status !== 2) &&
      (!wanted || c.name.toLowerCase().includes(wanted)),
  );
  const from = (query.page - 1) * query.perPage;
  return {
    rows: rows
      .slice(from, from + query.perPage)
      .map((c) => presentSlim(c, places.get(c.id) ?? 'platform')),
    total: rows.length,
  };
}

export async function lookupCompany(
  ctx: Ctx,
  query: Query<typeof contract.lookupCompany>,
): Promise<Answer<typeof contract.lookupCompany>> {
  const found =
    query.slug || query.id ? await companyBySlugOrId(ctx.db.directory, query) : undefined;
  if (!found) return missing();
  return {
    data: {
      id: found.id,
      name: found.name,
      slug: found.slug,
      logo: ((found.branding ?? {}) as { logo?: string }).logo ?? null,
    },
  };
}

export async function getCompany(ctx: TxCtx): Promise<Answer<typeof contract.getCompany>> {
  const row = (await companyRow(ctx.tx, ctx.companyId)) ?? missing();
  return {
    data: presentCompany(
      row,
      ctx.role,
      await peopleCount(ctx.tx, ctx.companyId),
      await countsOf(ctx.tx, ctx.companyId),
      (await valuesOf(ctx, entityOf.company, [ctx.companyId])).get(ctx.companyId)!,
    ),
  };
}

export async function listCompanyUsers(
  ctx: Ctx,
  query: Query<typeof contract.listCompanyUsers>,
): Promise<PageAnswer<Row<typeof contract.listCompanyUsers>>> {
  const { rows, total } = await membersOf(ctx.db.directory, ctx.companyId, {
    ...query,
    limit: query.perPage,
    offset: (query.page - 1) * query.perPage,
  });
  return {
    rows: await ctx.transaction((t) => presentUsers(t, rows)),
    total,
    meta: { companyId: ctx.companyId },
  };
}

/** One of the company's people; somebody of another company and nobody are one answer. */
export async function getCompanyUser(
  ctx: TxCtx,
  userId: number,
): Promise<Answer<typeof contract.getCompanyUser>> {
  const [row] = (await membersOf(ctx.db.directory, ctx.companyId, { userId, limit: 1, offset: 0 }))
    .rows;
  return { data: (await presentUsers(ctx, row ? [row] : missing()))[0]! };
}

async function presentUsers(
  ctx: TxCtx,
  rows: readonly MemberRow[],
): Promise<Row<typeof contract.listCompanyUsers>[]> {
  const numberOf = new Map((await numbersOf(ctx.tx, ctx.companyId)).map((n) => [n.id, n.number]));
  const values = await valuesOf(
    ctx,
    entityOf.user,
    rows.map((m) => m.id),
  );
  return rows.map((m) => ({
    id: m.id,
    first_name: m.first_name,
    last_name: m.last_name,
    email: m.email,
    role: m.role as EffectiveRole,
    status: m.role === 'deactivated' ? ('inactive' as const) : ('active' as const),
    numbers: m.number_ids
      .filter((n) => numberOf.has(Number(n)))
      .map((n) => ({ id: Number(n), number: numberOf.get(Number(n))! })),
    mfa_enabled: false,
    last_login_at: m.last_seen_at && new Date(m.last_seen_at).toISOString(),
    in_app_calling: { enabled: Boolean(m.sip_user), status: m.sip_user ? 'active' : 'offline' },
    eavAttributeValues: values.get(m.id) ?? [],
  }));
}

const demoRoles: Record<string, string> = {
  owner: 'Owner',
  administrator: 'Administrator',
  billing: 'Billing',
  reporting: 'Reporting',
  user: 'User',
  orgadmin: 'Organization administrator',
  platform: 'Platform admin',
};
export async function demoPeople(ctx: Ctx): Promise<Answer<typeof contract.demoPeople>> {
  if (!ctx.settings.demo) return { data: [] };
  return {
    data: (await demoPersons(ctx.db.directory)).map((p) => ({
      email: p.email,
      name: `${p.first_name} ${p.last_name}`.trim(),
      role: demoRoles[p.email.split('@')[0]!] ?? 'User',
      company_id: p.company_id,
    })),
  };
}
