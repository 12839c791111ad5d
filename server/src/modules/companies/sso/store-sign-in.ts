import { sql } from 'kysely';
import type { CompanyRole } from '#contract';
import type { Tx } from '../../../platform/db.ts';

// All of it runs as the system role: single sign-on is of organizations, above companies.

/** What an organization does about an address at one of its proven domains. */
interface SsoWay {
  organization_id: number;
  name: string;
  /** People with such an address sign in by nothing else. */
  is_required: boolean;
}
/** The organization whose provider speaks for a domain. Undefined: none. */
export const wayOfDomain = async (db: Tx, domain: string): Promise<SsoWay | undefined> =>
  (
    await sql<SsoWay>`select o.id organization_id, o.name,
        c.required_at is not null is_required from sso_domain d
      join sso_connection c on c.organization_id = d.organization_id
      join organization o on o.id = d.organization_id
      where d.domain = ${domain} and d.proven_at is not null`.execute(db)
  ).rows[0];

/**
 * Whether a person owns the organization or one of its companies, and whether they can act in one of
 * its companies now.
 */
export const placeIn = async (
  tx: Tx,
  organizationId: number,
  personId: number,
): Promise<{ isOwner: boolean; isInside: boolean }> => {
  const { rows } = await sql<{ is_owner: boolean; is_inside: boolean }>`
    select (o.owner_id is not distinct from ${personId}::bigint or exists (
        select from membership m join company c on c.id = m.company_id
        where c.organization_id = o.id and m.user_id = ${personId} and m.role = 'owner')) is_owner,
      (o.owner_id is not distinct from ${personId}::bigint or exists (
        select from organization_admin a where a.organization_id = o.id and a.user_id = ${personId})
        or exists (select from membership m join company c on c.id = m.company_id
          where c.organization_id = o.id and m.user_id = ${personId}
            and m.role <> 'deactivated' and c.status <> 2)) is_inside
    from organization o where o.id = ${organizationId}`.execute(tx);
  return { isOwner: rows[0]?.is_owner ?? false, isInside: rows[0]?.is_inside ?? false };
};

/** What one of a person's groups gives, or everyone who is new (`group_name` null). */
export interface AccessRule {
  group_name: string | null;
  company_id: number;
  role: Exclude<CompanyRole, 'owner' | 'deactivated'>;
  number_ids: number[];
}
/**
 * An organization's rules in order, of companies that are still in it and not deactivated; of numbers
 * those that are still there. A rule whose numbers are all gone gives no access.
 */
export const accessRules = async (db: Tx, organizationId: number): Promise<AccessRule[]> =>
  (
    await sql<AccessRule>`select a.group_name, a.company_id, a.role, n.ids number_ids
      from sso_access a
        join company c on c.id = a.company_id and c.organization_id = a.organization_id
          and c.status <> 2
        cross join lateral (select coalesce(array_agg(n.id order by n.id), '{}') ids from number n
          where n.company_id = c.id and n.id = any(a.number_ids)) n
      where a.organization_id = ${organizationId}
        and (cardinality(a.number_ids) = 0 or cardinality(n.ids) > 0)
      order by a.position`.execute(db)
  ).rows;

/** Replaces an organization's rules. */
export async function putAccessRules(
  tx: Tx,
  organizationId: number,
  rules: readonly AccessRule[],
): Promise<void> {
  await tx.deleteFrom('sso_access').where('organization_id', '=', organizationId).execute();
  if (!rules.length) return;
  await tx
    .insertInto('sso_access')
    .values(
      rules.map((rule, position) => ({
        ...rule,
        organization_id: organizationId,
        position,
        number_ids: sql<number[]>`${rule.number_ids}::bigint[]`,
      })),
    )
    .execute();
}
