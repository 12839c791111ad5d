/**
 * What the marketplace's clocks find, across companies, 500 at a time. Asked as the system role.
 */
import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

interface ListingKey {
  company_id: number;
  id: number;
}

/** Reservations that have expired. */
export const expiredReservations = (tx: Tx, now: Date): Promise<ListingKey[]> =>
  tx
    .selectFrom('marketplace_number')
    .select(['company_id', 'id'])
    .where('status', '=', 'reserved')
    .where('reserved_until', '<=', now)
    .limit(500)
    .execute();

/** Leases that end within this many days, before which both companies weren't reminded yet. */
export const leasesEnding = (tx: Tx, days: number, now: Date): Promise<ListingKey[]> =>
  tx
    .selectFrom('marketplace_number')
    .select(['company_id', 'id'])
    .where('status', '=', 'leased')
    .where('lease_ends_at', '>', now)
    .where('lease_ends_at', '<=', new Date(now.getTime() + days * 86_400_000))
    .where((eb) => eb(eb.fn.coalesce('lease_notified_days', sql<number>`999`), '>', days))
    .orderBy('lease_ends_at')
    .limit(500)
    .execute();

/** Leases whose term is over. */
export const endedLeases = (tx: Tx, now: Date): Promise<ListingKey[]> =>
  tx
    .selectFrom('marketplace_number')
    .select(['company_id', 'id'])
    .where('status', '=', 'leased')
    .where('lease_ends_at', '<=', now)
    .orderBy('lease_ends_at')
    .limit(500)
    .execute();

/** Ends undecided offers when they expire; a listing without another open offer is listed again. */
export const expireOffers = (tx: Tx, now: Date) =>
  sql`
    with expired as (
      update marketplace_offer set status = 'expired', decided_at = ${now}
      where status = 'open' and expires_at <= ${now}
      returning company_id, marketplace_id
    )
    update marketplace_number m set status = 'listed', updated_at = ${now}
    from expired
    where m.company_id = expired.company_id and m.id = expired.marketplace_id
      and m.status = 'under_offer'
      and not exists (
        select from marketplace_offer o
        where o.company_id = m.company_id and o.marketplace_id = m.id and o.status = 'open'
          and o.expires_at > ${now}
      )`.execute(tx);
