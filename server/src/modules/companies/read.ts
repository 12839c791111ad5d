import { fold } from '#contract/fold';
import {
  permissionKeys,
  roleList,
  roleRank,
  type Answer,
  type EffectiveRole,
  type PageAnswer,
  type Query,
  type companies as contract,
} from '#contract';
import { entityOf } from '#contract/fields/rules';
import { accessTo, grantIn } from '../../platform/access.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { firstOf, mustBe } from '../../platform/must-be.ts';
import { fieldsFilledByAi, valuesOf, valuesOfOne } from '../fields/index.ts';
import {
  presentPerson,
  personById,
  formatUtcDateTime,
  fullName,
  sipCredentialsOf,
} from '../identity/index.ts';
import { staffIn } from './admin-mode/store.ts';
import { presentCompany, presentCompanySlim } from './present.ts';
import {
  companiesByIds,
  companyBySlugOrId,
  companyRow,
  countCompanyObjects,
  demoPersons,
  allCompanyIds,
  closedCompaniesOf,
  membersOf,
  numbersOf,
  organizationsOf,
  countMembers,
  pinsOf,
  type MemberRow,
} from './store.ts';
import { dateStyleOf } from './settings/date-style.ts';
import { ssoPath } from './sso/rules.ts';
import { teamMembers, teamRows } from './teams/store.ts';

// The system role: runs before a company is chosen, or creates one.

type Row<E> = Answer<E> extends { data: (infer R)[] } ? R : never;

/**
 * The signed-in user, their companies, and their permissions in the company of the query.
 * `not_found` when the person is gone.
 */
export async function getUser(
  ctx: Ctx,
  query: Query<typeof contract.getUser>,
): Promise<Answer<typeof contract.getUser>> {
  const db = ctx.db.unscoped;
  const p = (await personById(db, ctx.actor.userId)) ?? notFound();
  const memberships = ctx.actor.memberships.filter((m) => m.role !== 'deactivated');
  const rows = await companiesByIds(
    db,
    memberships.map((m) => m.companyId),
  );
  const [organizations, pins, closed] = await Promise.all([
    organizationsOf(
      db,
      p.id,
      rows.map((c) => c.id),
    ),
    // They prove to support who calls: none of a company that keeps the session out.
    pinsOf(
      db,
      memberships.flatMap((m) => (m.blockedBy ? [] : [m.companyId])),
    ),
    // A person's own, so nothing for a key or an application.
    ctx.actor.scopes ? [] : closedCompaniesOf(db, p.id),
  ]);
  const chosen =
    memberships.find((m) => m.companyId === (query.companyId ?? query.company_id)) ??
    memberships[0];
  const access = accessTo(ctx.actor, chosen?.companyId ?? 0);
  const permissions: Record<string, 'all' | 'assigned' | 'own'> = {};
  for (const key of permissionKeys) {
    const grant = grantIn(access, key);
    if (grant !== 'none') permissions[key] = grant;
  }
  // Theirs in whatever company is selected, also in one that they own themselves.
  if (organizations.some((o) => o.is_admin)) permissions['organization.edit'] = 'all';
  return {
    data: {
      ...presentPerson(p),
      pending_email: p.pending_email,
      // They prove to support who calls: only for a person's own session.
      support_pins: ctx.actor.scopes ? [] : pins,
      read_whats_new_at: p.read_whats_new_at && formatUtcDateTime(p.read_whats_new_at),
      hasBusinessUnits: organizations.some((o) => o.is_admin),
      ...sipCredentialsOf(ctx.settings.appSecrets, p),
      // A phone's password would outlive the program's access.
      ...((ctx.actor.scopes || ctx.actor.keptOut) && { sip_password: null }),
      companies: rows.map((c) =>
        presentCompanySlim(
          c,
          mustBe(
            memberships.find((m) => m.companyId === c.id),
            'membership of a listed company',
          ).role,
        ),
      ),
      organizations,
      closed_companies: closed,
      is_admin: ctx.actor.adminMode,
      is_staff: ctx.actor.staff,
      support_access: await supportAccess(ctx),
      formats: dateStyleOf(rows.find((c) => c.id === chosen?.companyId)?.settings),
      mfa_enabled: p.mfa_enabled_at !== null,
      mfa_setup_required: access?.blockedBy?.code === 'mfa.setup_required',
      closed_until_paid: access?.blockedBy?.code === 'company.closed_until_paid',
      sso_required: access?.blockedBy?.code === 'sso.required' ? ssoOf(ctx) : null,
      permissions,
      created_at: p.created_at.toISOString(),
    },
  };
}

/** The sign-in of the organization that keeps this session out. */
const ssoOf = ({ actor: { keptOut } }: Pick<Ctx, 'actor'>) =>
  keptOut
    ? {
        organization: String(keptOut.by.facts?.['organization']),
        url: ssoPath(keptOut.organizationId),
      }
    : null;

/** The admin mode behind this request, as screens tell its staff member. Null: none. */
async function supportAccess(
  ctx: Ctx,
): Promise<Answer<typeof contract.getUser>['data']['support_access']> {
  const { admin, name } = ctx.actor;
  if (!admin) return null;
  const staff = admin.isRemote ? await personById(ctx.db.unscoped, admin.staffId) : null;
  return {
    kind: admin.isRemote ? 'remote' : 'admin',
    staff_name: staff ? fullName(staff) : name,
    reason: admin.reason,
    ends_at: admin.endsAt.toISOString(),
    may_write: admin.mayWrite,
  };
}

/**
 * All roles. `assignable`: not above the user's own role, and never owner, which is only
 * transferred.
 */
export async function listRoles(
  ctx: Ctx,
  query: Query<typeof contract.listRoles>,
): Promise<Answer<typeof contract.listRoles>> {
  const membership =
    ctx.actor.memberships.find((m) => m.companyId === (query.companyId ?? query.company_id)) ??
    ctx.actor.memberships[0];
  const access = accessTo(ctx.actor, membership?.companyId ?? 0);
  const ownRole = access?.role ?? 'deactivated';
  const mayEdit = grantIn(access, 'users.edit') !== 'none';
  return {
    data: roleList.map((r) => ({
      ...r,
      assignable:
        mayEdit &&
        r.id !== 'owner' &&
        r.id !== 'deactivated' &&
        roleRank[r.id] <= roleRank[ownRole],
    })),
  };
}

/** A page of the user's companies by name; in admin mode, of all companies. */
export async function listCompaniesSlim(
  ctx: Ctx,
  query: Query<typeof contract.listCompaniesSlim>,
): Promise<PageAnswer<Row<typeof contract.listCompaniesSlim>>> {
  const roleByCompany = new Map(
    ctx.actor.memberships.filter((m) => m.role !== 'deactivated').map((m) => [m.companyId, m.role]),
  );
  const companyIds = ctx.actor.adminMode
    ? await allCompanyIds(ctx.db.unscoped)
    : [...roleByCompany.keys()];
  const search = query.search && fold(query.search);
  const rows = (await companiesByIds(ctx.db.unscoped, companyIds)).filter(
    (c) =>
      (!query.excludeDeactivated || c.status !== 2) && (!search || fold(c.name).includes(search)),
  );
  const from = (query.page - 1) * query.perPage;
  return {
    rows: rows
      .slice(from, from + query.perPage)
      .map((c) => presentCompanySlim(c, roleByCompany.get(c.id) ?? 'platform')),
    total: rows.length,
  };
}

/** What sign-in shows of a company, by slug or ID. `not_found` for unknown and deactivated ones. */
export async function lookupCompany(
  ctx: Ctx,
  query: Query<typeof contract.lookupCompany>,
): Promise<Answer<typeof contract.lookupCompany>> {
  const found =
    query.slug || query.id ? await companyBySlugOrId(ctx.db.unscoped, query) : undefined;
  if (!found) return notFound();
  return {
    data: {
      id: found.id,
      name: found.name,
      slug: found.slug,
      logo: ((found.branding ?? {}) as { logo?: string }).logo ?? null,
    },
  };
}

/** The company with its counts and custom fields. `not_found` when it is gone. */
export async function getCompany(ctx: TxCtx): Promise<Answer<typeof contract.getCompany>> {
  const row = (await companyRow(ctx.tx, ctx.companyId)) ?? notFound();
  const staff =
    ctx.may('company.edit') === 'none'
      ? []
      : await staffIn(ctx.db.unscoped, ctx.companyId, ctx.now);
  const company = presentCompany(
    row,
    ctx.role,
    await countMembers(ctx.tx, ctx.companyId),
    await countCompanyObjects(ctx.tx, ctx.companyId),
    await valuesOfOne(ctx, entityOf.company, ctx.companyId),
  );
  return {
    data: {
      ...company,
      ai_eav: {
        ...company.ai_eav,
        fields: (await fieldsFilledByAi(ctx)).map(({ id, key, name }) => ({ id, key, name })),
      },
      platform_access: staff.map(({ name, reason, since, until, may_write }) => ({
        ...{ name, reason: reason ?? '', may_write },
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
      })),
    },
  };
}

/** A page of the company's members. */
export async function listCompanyUsers(
  ctx: Ctx,
  query: Query<typeof contract.listCompanyUsers>,
): Promise<PageAnswer<Row<typeof contract.listCompanyUsers>>> {
  const { rows, total } = await membersOf(ctx.db.unscoped, ctx.companyId, {
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

/** A user of the company. Fails with 404, also for users of other companies. */
export async function getCompanyUser(
  ctx: TxCtx,
  userId: number,
): Promise<Answer<typeof contract.getCompanyUser>> {
  const [row] = (await membersOf(ctx.db.unscoped, ctx.companyId, { userId, limit: 1, offset: 0 }))
    .rows;
  return { data: firstOf(await presentUsers(ctx, row ? [row] : notFound())) };
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
  const teams = await teamRows(ctx.tx, ctx.companyId);
  const members = await teamMembers(ctx.tx, ctx.companyId);
  const teamsOf = (userId: number) =>
    teams
      .filter(({ id }) => members.some((one) => one.team_id === id && one.user_id === userId))
      .map(({ id, name }) => ({ id, name }));
  return rows.map((m) => ({
    id: m.id,
    first_name: m.first_name,
    last_name: m.last_name,
    email: m.email,
    pending_email: m.pending_email,
    role: m.role as EffectiveRole,
    acts_as: rolesOf(m),
    status: m.role === 'deactivated' ? ('inactive' as const) : ('active' as const),
    numbers: m.number_ids.flatMap((n) => {
      const number = numberOf.get(Number(n));
      const isHidden = ctx.numbers !== null && !ctx.numbers.includes(Number(n));
      return number === undefined || isHidden ? [] : [{ id: Number(n), number }];
    }),
    all_numbers: m.number_ids.length === 0,
    teams: teamsOf(m.id),
    mfa_enabled: m.mfa_enabled_at !== null,
    last_login_at: m.last_seen_at && new Date(m.last_seen_at).toISOString(),
    in_app_calling: { enabled: Boolean(m.sip_user), status: m.sip_user ? 'active' : 'offline' },
    eavAttributeValues: values.get(m.id) ?? [],
  }));
}

/** All roles that a member acts in: a deactivated one may still administer the organization. */
const rolesOf = ({ role, is_organization_admin: isAdmin }: MemberRow): EffectiveRole[] => [
  ...(role === 'deactivated' && isAdmin ? [] : [role as EffectiveRole]),
  ...(isAdmin ? (['org-administrator'] as const) : []),
];

const demoRoles: Record<string, string> = {
  owner: 'Owner',
  administrator: 'Administrator',
  billing: 'Billing',
  reporting: 'Reporting',
  user: 'User',
  orgadmin: 'Organization administrator',
  platform: 'Platform admin',
};
/** The people to sign in as on a demo installation; empty on all others. */
export async function listDemoPeople(ctx: Ctx): Promise<Answer<typeof contract.demoPeople>> {
  if (!ctx.settings.demo) return { data: [] };
  return {
    data: (await demoPersons(ctx.db.unscoped)).map((p) => ({
      email: p.email,
      name: `${p.first_name} ${p.last_name}`.trim(),
      role: demoRoles[firstOf(p.email.split('@'))] ?? 'User',
      company_id: p.company_id,
    })),
  };
}
