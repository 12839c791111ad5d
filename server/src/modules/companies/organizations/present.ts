import type { Answer, organizations as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import {
  accountsOf,
  administratorsOf,
  countsOf,
  figuresOf,
  type OrganizationRow,
  type OrganizationUserRow,
} from './store.ts';

type Row<E> = Answer<E> extends { data: (infer R)[] } ? R : never;
const DAYS_30_MS = 30 * 86_400_000;

/**
 * An organization as this person sees it: its administrators all companies, others those they are
 * in.
 */
export async function presentOrganization(
  ctx: Ctx,
  tx: Tx,
  o: OrganizationRow,
): Promise<Answer<typeof contract.getOrganization>['data']> {
  const isAdmin =
    ctx.role === 'platform' ||
    // A key is of one company: it learns nothing of its sisters.
    (ctx.actor.kind === 'user' && (await administratorsOf(tx, o.id)).includes(ctx.actor.userId));
  const roles = new Map(ctx.actor.memberships.map((m) => [m.companyId, m.role]));
  const accounts = (await accountsOf(tx, o.id)).filter((c) => isAdmin || roles.has(c.id));
  const counts = isAdmin ? await countsOf(tx, o.id) : { numbers: 0, users: 0 };
  return {
    id: o.id,
    name: o.name,
    slug: o.slug,
    owner_id: o.owner_id,
    is_admin: isAdmin,
    timezone: o.timezone,
    accounts: accounts.map((c) => ({
      id: c.id,
      name: c.name,
      status: c.status as 0 | 1 | 2,
      role: roles.get(c.id) ?? 'org-administrator',
    })),
    counts: { companies: accounts.length, ...counts },
    created_at: o.created_at.toISOString(),
  };
}

/** Companies with their figures of the last 30 days. */
export async function presentAccounts(
  ctx: Ctx,
  tx: Tx,
  companies: readonly { id: number; name: string; slug: string; status: number }[],
): Promise<Row<typeof contract.listOrganizationCompanies>[]> {
  const figures = await figuresOf(
    tx,
    companies.map((c) => c.id),
    new Date(ctx.now.getTime() - DAYS_30_MS),
  );
  return companies.map((c) => {
    const f = figures.get(c.id);
    return {
      id: c.id,
      name: c.name,
      slug: c.slug,
      status: c.status as 0 | 1 | 2,
      numbers: f?.numbers ?? 0,
      users: f?.users ?? 0,
      unread: f?.unread ?? 0,
      calls: f?.calls ?? 0,
      texts: f?.texts ?? 0,
    };
  });
}

/** A person with their roles in the organization's companies. */
export const presentOrganizationUser = ({
  last_seen_at,
  ...user
}: OrganizationUserRow): Row<typeof contract.listOrganizationUsers> => ({
  ...user,
  last_login_at: last_seen_at?.toISOString() ?? null,
});
