import { sql } from 'kysely';
import type { EffectiveRole } from '#contract';
import type { Tx } from '../../../platform/db.ts';

// All of it runs as the system role: sessions and other companies' members are of no company.

/** Someone who is active in the company, with all roles they act in there. */
export interface ActivePerson {
  id: number;
  email: string;
  roles: EffectiveRole[];
  /** The companies that they get into. */
  company_ids: number[];
}

/** The people who have a role of their own in the company that is not deactivated, or one of them. */
export const activePeople = async (
  tx: Tx,
  companyId: number,
  userId: number | null = null,
): Promise<ActivePerson[]> =>
  (
    await sql<ActivePerson>`select p.id, p.email, roles_in(${companyId}, p.id) roles, array(
        select o.company_id from membership o where o.user_id = p.id and o.role <> 'deactivated'
        union select c.id from company c where c.organization_id in (
          select a.organization_id from organization_admin a where a.user_id = p.id
          union select n.id from organization n where n.owner_id = p.id)) company_ids
      from membership m join person p on p.id = m.user_id and p.disabled_at is null
      where m.company_id = ${companyId} and m.role <> 'deactivated'
        and (${userId}::bigint is null or m.user_id = ${userId}::bigint)
      order by p.id`.execute(tx)
  ).rows;

/**
 * Of these people, those whom this company signed out since then. Locks them all until the
 * transaction ends, so that two requests at once don't both find nothing.
 */
export async function signedOutSince(
  tx: Tx,
  companyId: number,
  userIds: readonly number[],
  since: Date,
): Promise<Set<number>> {
  if (!userIds.length) return new Set();
  const people = [...userIds].sort((a, b) => a - b);
  await sql`select from person where id = any(${people}::bigint[]) order by id for update`.execute(
    tx,
  );
  const { rows } = await sql<{ subject: string }>`select distinct subject from audit_log
    where company_id = ${companyId} and action = 'user.sessions_ended' and at > ${since}
      and subject = any(${people.map((id) => `user:${id}`)}::text[])`.execute(tx);
  return new Set(rows.map(({ subject }) => Number(subject.slice('user:'.length))));
}
