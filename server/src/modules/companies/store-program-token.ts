import { sql } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';
import { places, type PersonPlaces } from './store-session.ts';

/** An access token of an authorized program, with its person and their role in its one company. */
interface ProgramTokenRow extends PersonPlaces {
  authorization_id: number;
  company_id: number;
  last_used_at: Date | null;
  expires_at: Date;
  scopes: string[];
  /** Registered by the company itself, or shared with all. */
  is_approved: boolean;
}

/**
 * What a program's access token stands for. Undefined: unknown, expired or revoked, or the person is
 * disabled or no longer in the company.
 */
export async function findProgramToken(
  db: Tx,
  hash: string,
  now: Date,
): Promise<ProgramTokenRow | undefined> {
  const { rows } = await sql<ProgramTokenRow>`${prepared}
    select p.id person_id, p.email, p.first_name, p.last_name, p.is_staff, p.mfa_enabled_at, a.id authorization_id,
      a.last_used_at, t.expires_at,
      array(select unnest(t.scopes) intersect select unnest(a.scopes)) scopes,
      a.company_id, exists (select from oauth_client k where k.client_id = a.client_id
        and (k.is_shared or k.company_id = a.company_id)) is_approved, ${places}
    from oauth_record t
    join oauth_authorization a on a.grant_hash = t.grant_hash
    join person p on p.id = a.person_id
    where t.kind = 'AccessToken' and t.id_hash = ${hash} and t.expires_at > ${now}
      and a.revoked_at is null and a.expires_at > ${now} and p.disabled_at is null`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  const own = row.places.filter(
    (m) =>
      m.companyId === row.company_id &&
      !m.roles.includes('deactivated') &&
      (row.is_approved || m.switches['approved_applications_only'] !== true),
  );
  return own.length ? { ...row, places: own } : undefined;
}
/** Notes when a program last used its access. */
export const touchAuthorization = (db: Tx, id: number, at: Date) =>
  sql`update oauth_authorization set last_used_at = ${at} where id = ${id}`.execute(db);
