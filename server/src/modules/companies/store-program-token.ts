import { sql, type Selectable } from 'kysely';
import type { EffectiveRole } from '#contract';
import { prepared, type Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

/** An access token of an authorized program, with its person and their role in its one company. */
export interface ProgramTokenRow extends Pick<
  Selectable<Tables['person']>,
  'email' | 'first_name' | 'last_name'
> {
  person_id: number;
  authorization_id: number;
  last_used_at: Date | null;
  expires_at: Date;
  scopes: string[];
  places: {
    companyId: number;
    role: EffectiveRole;
    numberIds: number[];
    switches: Record<string, unknown>;
  }[];
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
    select p.id person_id, p.email, p.first_name, p.last_name, a.id authorization_id,
      a.last_used_at, t.expires_at,
      array(select unnest(t.scopes) intersect select unnest(a.scopes)) scopes,
      coalesce((select json_agg(x) from (
        select m.company_id "companyId", m.role, m.number_ids "numberIds", c.settings switches
          from membership m join company c on c.id = m.company_id
          where m.user_id = p.id and m.company_id = a.company_id and m.role <> 'deactivated'
        union all
        select c.id, 'org-administrator', '{}', c.settings
          from organization_admin o join company c on c.organization_id = o.organization_id
          where o.user_id = p.id and c.id = a.company_id
            and not exists (select from membership m where m.company_id = c.id
              and m.user_id = p.id and m.role in ('owner', 'administrator'))
      ) x), '[]') places
    from oauth_record t
    join oauth_authorization a on a.grant_hash = t.grant_hash
    join person p on p.id = a.person_id
    where t.kind = 'AccessToken' and t.id_hash = ${hash} and t.expires_at > ${now}
      and a.revoked_at is null and a.expires_at > ${now} and p.disabled_at is null`.execute(db);
  return rows[0]?.places.length ? rows[0] : undefined;
}
/** Notes when a program last used its access. */
export const touchAuthorization = (db: Tx, id: number, at: Date) =>
  sql`update oauth_authorization set last_used_at = ${at} where id = ${id}`.execute(db);
