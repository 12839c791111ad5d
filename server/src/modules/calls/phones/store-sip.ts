/** The users of SIP phones. Persons are global, so this reads outside of row-level security. */
import { sql } from 'kysely';
import type { Db } from '../../../platform/db.ts';

interface SipPersonRow {
  userId: number;
  sealed: string;
}

/** A user by SIP user name, with the sealed SIP password; null = unknown or disabled. */
export async function sipPerson(db: Db, user: string): Promise<SipPersonRow | null> {
  const { rows } = await sql<{ id: number; sealed: string }>`
    select p.id, p.sip_password_secret sealed
    from person p where p.sip_user = ${user}
      and p.sip_password_secret is not null and p.disabled_at is null`.execute(db.unscoped);
  const row = rows[0];
  return row ? { userId: row.id, sealed: row.sealed } : null;
}

/** The company's first number to call from, of these (null: of all); null = none. */
export async function firstNumberOf(
  db: Db,
  companyId: number,
  among: readonly number[] | null,
): Promise<number | null> {
  const { rows } = await sql<{ number_id: number }>`
    select n.id number_id from number n where n.company_id = ${companyId}
      and n.status = 'active' and n.category <> 3
      and (${among === null} or n.id = any(${[...(among ?? [])]}::bigint[]))
      order by n.id limit 1`.execute(db.unscoped);
  return rows[0]?.number_id ?? null;
}
