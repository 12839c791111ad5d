import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

// All of it runs as the system role: single sign-on is of organizations, above companies.

/** Notes that someone has come in through an organization's provider as it is now. */
export const markConnectionUsed = (tx: Tx, organizationId: number, at: Date) =>
  tx
    .updateTable('sso_connection')
    .set({ used_at: at })
    .where('organization_id', '=', organizationId)
    .execute();

/** Lets an organization's people sign in through its provider alone, since a time; null: no more. */
export const setRequired = (tx: Tx, organizationId: number, at: Date | null) =>
  tx
    .updateTable('sso_connection')
    .set({ required_at: at })
    .where('organization_id', '=', organizationId)
    .execute();

/** People with a place in an organization and an address at one of these domains. */
export const peopleAt = async (
  db: Tx,
  organizationId: number,
  domains: readonly string[],
): Promise<number[]> =>
  (
    await sql<{ id: number }>`select p.id from person p
      where lower(substring(p.email from '[^@]*$')) = any(${[...domains]}::text[])
        and p.disabled_at is null
        and p.id in (
          select m.user_id from membership m join company c on c.id = m.company_id
            where c.organization_id = ${organizationId} and m.role <> 'deactivated'
          union select user_id from organization_admin where organization_id = ${organizationId}
          union select owner_id from organization where id = ${organizationId})
      order by p.id`.execute(db)
  ).rows.map((row) => row.id);

interface OwnerRow {
  id: number;
  name: string;
  email: string;
  /** A password and a second factor. */
  has_both: boolean;
}
/** The owners of an organization and of its companies, by name. */
export const ownersOf = async (db: Tx, organizationId: number): Promise<OwnerRow[]> =>
  (
    await sql<OwnerRow>`select p.id, p.email,
        coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as name,
        p.password_hash is not null and p.mfa_enabled_at is not null has_both
      from person p where p.disabled_at is null and p.id in (
        select owner_id from organization where id = ${organizationId}
        union select m.user_id from membership m join company c on c.id = m.company_id
          where c.organization_id = ${organizationId} and m.role = 'owner')
      order by name, p.id`.execute(db)
  ).rows;
