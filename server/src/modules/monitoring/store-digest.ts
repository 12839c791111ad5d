import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { ListedAlert } from './store-lists.ts';

// The system role: administrators of organizations are above companies.

export interface DueDigest {
  organizationId: number;
  organization: string;
  userId: number;
  email: string;
  /** When the last one was due; null: never. */
  since: Date | null;
}

/**
 * Administrators for whom it is past `hour` of a day that had no digest yet, in their time zone or
 * else their organization's; marks them as served now.
 */
export const takeDueDigests = async (
  tx: Tx,
  now: Date,
  { hour, limit }: { hour: number; limit: number },
): Promise<DueDigest[]> =>
  (
    await sql<DueDigest>`
      with due as (
        select a.organization_id, a.user_id, o.name, p.email, a.alert_digest_at
        from organization_admin a join organization o on o.id = a.organization_id
          join person p on p.id = a.user_id and p.disabled_at is null
          cross join lateral (select coalesce(p.timezone, o.timezone) as zone) z
        where a.alert_digest
          and extract(hour from ${now}::timestamptz at time zone z.zone) >= ${hour}
          and (a.alert_digest_at is null or (a.alert_digest_at at time zone z.zone)::date
            < (${now}::timestamptz at time zone z.zone)::date)
        limit ${limit} for update of a skip locked
      )
      update organization_admin a set alert_digest_at = ${now} from due
      where a.organization_id = due.organization_id and a.user_id = due.user_id
      returning due.organization_id as "organizationId", due.name as organization,
        due.user_id as "userId", due.email, due.alert_digest_at as since`.execute(tx)
  ).rows;

/** Open alerts of these companies that are worth telling: new ones first, then the gravest. */
export const worthTelling = async (
  tx: Tx,
  companyIds: readonly number[],
  since: Date,
): Promise<(ListedAlert & { is_new: boolean })[]> =>
  (
    await sql<ListedAlert & { is_new: boolean }>`
      select a.*, c.name as company_name, c.organization_id, a.first_seen_at > ${since} as is_new
      from alert a join company c on c.id = a.company_id
      where a.company_id = any(${[...companyIds]}::bigint[]) and a.state = 'open'
        and a.severity <> 'info'
      order by is_new desc, a.severity, c.name, a.first_seen_at desc, a.id limit 1000`.execute(tx)
  ).rows;

/** Whether an administrator gets the digest; undefined: they aren't one. */
export const wantsDigest = async (
  tx: Tx,
  organizationId: number,
  userId: number,
): Promise<boolean | undefined> =>
  (
    await tx
      .selectFrom('organization_admin')
      .select('alert_digest')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
  )?.alert_digest;

/** Turns an administrator's digest on or off. False: they aren't one. */
export const setDigest = async (
  tx: Tx,
  organizationId: number,
  userId: number,
  on: boolean,
): Promise<boolean> =>
  (
    await tx
      .updateTable('organization_admin')
      .set({ alert_digest: on })
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
  ).numUpdatedRows === 1n;
