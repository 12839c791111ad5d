import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

// The system role: finds in every company what is due.

/** Websites of one company that are looked at in an hour. */
const MOST = 10;
/** A website that wasn't heard from for longer is someone else's business. */
const lately = (now: Date) => sql`${now}::timestamptz - interval '30 days'`;

/** Active companies whose script is on and was heard from on a website lately. */
export const companiesWithSites = async (tx: Tx, now: Date): Promise<number[]> =>
  (
    await sql<{ id: number }>`
      select c.id from company c
      where c.status = 0 and exists (select from tracking_site s
          where s.company_id = c.id and s.last_seen_at > ${lately(now)})
        and not exists (select from tracking_script off
          where off.company_id = c.id and not off.is_enabled)
      order by c.id`.execute(tx)
  ).rows.map(({ id }) => id);

/** Hosts to look at now, those that were looked at longest ago first. */
export const sitesToCheck = async (tx: Tx, companyId: number, now: Date): Promise<string[]> =>
  (
    await sql<{ host: string }>`
      select host from tracking_site
      where company_id = ${companyId} and last_seen_at > ${lately(now)}
      order by checked_at nulls first, host limit ${MOST}`.execute(tx)
  ).rows.map(({ host }) => host);

/** Websites whose pages called us at a subdomain of theirs lately, each with that. */
export const firstPartySites = async (tx: Tx, companyId: number, now: Date) =>
  (
    await sql<{ host: string; first_party_host: string }>`
      select host, first_party_host from tracking_site
      where company_id = ${companyId} and first_party_at > ${lately(now)}
      order by host limit ${MOST}`.execute(tx)
  ).rows;

/** Keeps whether a website's subdomain is in its own network. */
export const storeNetwork = (tx: Tx, companyId: number, host: string, isSame: boolean) =>
  sql`update tracking_site set is_same_network = ${isSame}
    where company_id = ${companyId} and host = ${host}`.execute(tx);

/** Keeps what a look at a website's page found. */
export const storeSiteCheck = (
  tx: Tx,
  companyId: number,
  found: { host: string; at: Date; isFound: boolean; count: number; hasWrongKey: boolean },
) =>
  sql`update tracking_site set checked_at = ${found.at}, script_count = ${found.count},
      has_wrong_key = ${found.hasWrongKey},
      script_found_at = case when ${found.isFound} then ${found.at} else script_found_at end,
      missing_checks = case when ${found.isFound} or script_found_at is null then 0
        else missing_checks + 1 end
    where company_id = ${companyId} and host = ${found.host}`.execute(tx);
