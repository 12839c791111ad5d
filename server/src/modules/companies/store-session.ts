import { sql, type Selectable } from 'kysely';
import type { EffectiveRole } from '#contract';
import { prepared, type Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

/** A person, and each company they can act in with their role there. */
export interface PersonPlaces extends Pick<
  Selectable<Tables['person']>,
  'email' | 'first_name' | 'last_name' | 'is_staff' | 'mfa_enabled_at'
> {
  person_id: number;
  places: {
    companyId: number;
    organizationId: number | null;
    roles: EffectiveRole[];
    numberIds: number[];
    switches: Record<string, unknown>;
    isSuspended: boolean;
  }[];
}
export interface SessionRow
  extends
    PersonPlaces,
    Pick<
      Selectable<Tables['session']>,
      'kind' | 'admin_mode' | 'last_seen_at' | 'idle_minutes' | 'access_expires_at'
    > {
  session_id: number;
  /** The organization whose own sign-in the session stands for. */
  sso_organization_id: number | null;
  /** The organization that lets the person in only by its own sign-in. */
  sso_required: { id: number; name: string } | null;
  /** The company that a remote login is for; null: an ordinary session. */
  remote_company_id: number | null;
  /** The admin mode that it is in, or that the remote login depends on. */
  entry: {
    id: number;
    staffId: number;
    reason: string;
    endsAt: string;
    mayWrite: boolean;
    openedCompanyIds: number[];
  } | null;
}
export interface KeyRow
  extends
    PersonPlaces,
    Pick<
      Selectable<Tables['personal_access_token']>,
      'company_id' | 'scopes' | 'expires_at' | 'last_used_at' | 'last_used_ip'
    > {
  key_id: number;
}

/** The organizations of the person `p`. */
const administeredBy = sql`select organization_id from organization_admin where user_id = p.id
  union all select id from organization where owner_id = p.id`;

/**
 * The column `places`: each company that the person `p` can act in, with all roles they have there:
 * their own and that of their organization. Administrators of the organization are the only ones who
 * get into a deactivated company.
 */
export const places = sql`coalesce((select json_agg(x) from (
    select c.id "companyId", c.organization_id "organizationId", r.roles, coalesce(m.number_ids, '{}') "numberIds", c.settings switches,
        c.suspended_at is not null "isSuspended"
      from (select company_id id from membership where user_id = p.id
          union select id from company where organization_id in (${administeredBy})) own
        join company c on c.id = own.id
        left join membership m on m.company_id = c.id and m.user_id = p.id
        cross join lateral (select c.organization_id in (${administeredBy}) is_admin) o
        cross join lateral (select array_remove(array[
          case when c.status <> 2 and (m.role <> 'deactivated' or o.is_admin is not true)
            then m.role end,
          case when o.is_admin then 'org-administrator' end], null) roles) r
      where cardinality(r.roles) > 0 order by m.user_id is null, c.id
  ) x), '[]') places`;

/**
 * What a person can act in now, whoever asks (a job they started, their phone). Undefined: none of
 * this ID, or disabled.
 */
export const findPerson = async (
  db: Tx,
  id: number,
): Promise<(PersonPlaces & { is_in_admin_mode: boolean }) | undefined> =>
  (
    await sql<PersonPlaces & { is_in_admin_mode: boolean }>`${prepared}
    select p.id person_id, p.email, p.first_name, p.last_name, p.is_staff, p.mfa_enabled_at,
      exists (select from admin_entry e where e.person_id = p.id and e.left_at is null
        and e.ends_at > now()) is_in_admin_mode, ${places}
    from person p where p.id = ${id} and p.disabled_at is null`.execute(db)
  ).rows[0];

const credentialColumns = {
  cookie: sql`s.cookie_hash`,
  access: sql`s.access_hash`,
  id: sql`s.id`,
};

/**
 * The person of a session, by its token's hash or its ID, with all companies they can act in; undefined:
 * ended or expired. Whether it was idle for too long is the caller's to decide.
 */
export async function findSession(
  db: Tx,
  credential: 'cookie' | 'access' | 'id',
  hash: string | number,
  now: Date,
): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`${prepared}
    select p.id person_id, p.email, p.first_name, p.last_name, p.is_staff, p.mfa_enabled_at, s.id session_id, s.kind,
      s.admin_mode, s.last_seen_at, s.idle_minutes, s.access_expires_at, r.in_company_id remote_company_id,
      s.sso_organization_id, (select to_json(o) from sso_required_by(p.email) o) sso_required,
      a.entry, ${places}
    from session s join person p on p.id = s.person_id
      left join remote_login r on r.id = s.remote_login_id
      left join lateral (select json_build_object('id', e.id, 'staffId', e.person_id,
            'reason', coalesce(r.reason, e.reason), 'endsAt', e.ends_at,
            'mayWrite', e.writes_at is not null, 'openedCompanyIds', array(
              select l.company_id from audit_log l where l.action = 'admin.opened'
                and l.subject = 'admin_entry:' || e.id)) entry
          from admin_entry e where ((p.is_staff and r.id is null and e.family = s.family)
              or e.id = r.entry_id) and e.left_at is null and e.ends_at > ${now}
          order by e.id desc limit 1) a on true
    where (r.id is null or a.entry is not null) and ${credentialColumns[credential]} = ${hash}
      and s.ended_at is null and p.disabled_at is null
      ${credential === 'access' ? sql`and s.access_expires_at > ${now}` : sql``}`.execute(db);
  return rows[0];
}
/** Notes when a session was last used, and after how many minutes without use it ends. */
export const touchSession = (db: Tx, id: number, at: Date, idleMinutes: number) =>
  sql`update session set last_seen_at = ${at}, idle_minutes = ${idleMinutes}
    where id = ${id}`.execute(db);

/**
 * The person of an API key, by its hash, with the one company it is for, if they are still in it;
 * undefined: revoked or expired, or its owner is disabled.
 */
export async function findKey(db: Tx, hash: string, now: Date): Promise<KeyRow | undefined> {
  const { rows } = await sql<KeyRow>`${prepared}
    select p.id person_id, p.email, p.first_name, p.last_name, p.is_staff, p.mfa_enabled_at, k.id key_id,
      k.company_id, k.scopes, k.expires_at, k.last_used_at, k.last_used_ip, ${places}
    from personal_access_token k join person p on p.id = k.person_id
    where k.hash = ${hash} and p.disabled_at is null
      and (k.expires_at is null or k.expires_at > ${now})`.execute(db);
  const row = rows[0];
  return row && { ...row, places: row.places.filter((m) => m.companyId === row.company_id) };
}
/** Notes when and from where an API key was last used. */
export const touchKey = (db: Tx, companyId: number, id: number, at: Date, ip: string) =>
  sql`update personal_access_token set last_used_at = ${at}, last_used_ip = ${ip || null}
    where company_id = ${companyId} and id = ${id}`.execute(db);
