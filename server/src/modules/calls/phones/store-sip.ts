/** The users of SIP phones. Persons are global, so this reads outside of row-level security. */
import { sql } from 'kysely';
import type { EffectiveRole } from '#contract';
import type { Db } from '../../../platform/db.ts';

interface SipPersonRow {
  userId: number;
  sealed: string;
  places: { companyId: number; role: EffectiveRole }[];
}

/** A user by SIP user name, with the sealed SIP password; null = unknown or disabled. */
export async function sipPerson(db: Db, user: string): Promise<SipPersonRow | null> {
  const { rows } = await sql<{ id: number; sealed: string; places: SipPersonRow['places'] | null }>`
    select p.id, p.sip_password_secret sealed,
      (select json_agg(json_build_object('companyId', m.company_id, 'role', m.role)
            order by m.company_id) from membership m where m.user_id = p.id) places
    from person p where p.sip_user = ${user}
      and p.sip_password_secret is not null and p.disabled_at is null`.execute(db.unscoped);
  const row = rows[0];
  return row ? { userId: row.id, sealed: row.sealed, places: row.places ?? [] } : null;
}

/** The first number of the company this user may call from; null = none. */
export async function firstNumberOf(
  db: Db,
  companyId: number,
  userId: number,
): Promise<number | null> {
  const { rows } = await sql<{ number_id: number }>`
    select n.id number_id from membership m
      join number n on n.company_id = m.company_id and n.status = 'active' and n.category <> 3
    where m.company_id = ${companyId}
      and m.user_id = ${userId} and (cardinality(m.number_ids) = 0 or n.id = any(m.number_ids))
      order by n.id limit 1`.execute(db.unscoped);
  return rows[0]?.number_id ?? null;
}

/**
 * The user's role in the company and the numbers they are limited to (empty = all). Null: not a
 * member.
 */
export async function membershipOf(
  db: Db,
  companyId: number,
  userId: number,
): Promise<{ role: string; numberIds: number[] } | null> {
  const { rows } = await sql<{ role: string; number_ids: number[] }>`
    select role, number_ids
      from membership where company_id = ${companyId} and user_id = ${userId}`.execute(db.unscoped);
  const row = rows[0];
  return row ? { role: row.role, numberIds: row.number_ids } : null;
}
