import { sql, type Selectable } from 'kysely';
import type { EffectiveRole } from '#contract';
import { prepared, type Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

/** A session with its person, and each company they can act in with their role there. */
interface SessionRow
  extends
    Pick<Selectable<Tables['person']>, 'email' | 'first_name' | 'last_name' | 'is_staff'>,
    Pick<
      Selectable<Tables['session']>,
      'person_id' | 'admin_mode' | 'last_seen_at' | 'access_expires_at'
    > {
  session_id: number;
  places: {
    companyId: number;
    role: EffectiveRole;
    numberIds: number[];
    switches: Record<string, unknown>;
  }[];
}

/** The organizations of the person `p`. */
const administeredBy = sql`select organization_id from organization_admin where user_id = p.id
  union all select id from organization where owner_id = p.id`;

/**
 * The person of a session, by its token's hash, with all companies they can act in; undefined:
 * ended or expired.
 */
export async function findSession(
  db: Tx,
  credential: 'cookie' | 'access',
  hash: string,
  now: Date,
  idleMinutes: number,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`${prepared}
    select p.id person_id, p.email, p.first_name, p.last_name, p.is_staff, s.id session_id,
      s.admin_mode, s.last_seen_at, s.access_expires_at,
      coalesce((select json_agg(x) from (
        select m.company_id "companyId", m.role, m.number_ids "numberIds", c.settings switches
          from membership m join company c on c.id = m.company_id where m.user_id = p.id
            -- Administrators of the organization act as such where their own role allows less, and
            -- are the only ones who get into a deactivated company.
            and c.status <> 2 and (m.role in ('owner', 'administrator')
              or c.organization_id is null or c.organization_id not in (${administeredBy}))
        union all
        select c.id, 'org-administrator', '{}', c.settings
          from company c where c.organization_id in (${administeredBy})
            and not exists (select from membership m where m.company_id = c.id
              and m.user_id = p.id and m.role in ('owner', 'administrator') and c.status <> 2)
      ) x), '[]') places
    from session s join person p on p.id = s.person_id
    where ${credential === 'cookie' ? sql`s.cookie_hash` : sql`s.access_hash`} = ${hash}
      and s.ended_at is null and p.disabled_at is null
      and ${
        credential === 'cookie'
          ? sql`s.last_seen_at >
        ${new Date(now.getTime() - idleMinutes * 60_000)}`
          : sql`s.access_expires_at >
        ${now}`
      }`.execute(db);
  return rows[0];
}
/** Notes when a session was last used. */
export const touchSession = (db: Tx, id: number, at: Date) =>
  sql`update session set last_seen_at = ${at} where id = ${id}`.execute(db);
