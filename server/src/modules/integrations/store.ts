/** Where a company delivers to. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type DestinationRow = Selectable<Tables['destination']>;

/** A company's destinations of a provider, oldest first. */
export const destinationsOf = (
  tx: Tx,
  companyId: number,
  provider: string,
): Promise<DestinationRow[]> =>
  tx
    .selectFrom('destination')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('provider', '=', provider)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** All of a company's destinations, oldest first. */
export const allDestinations = (tx: Tx, companyId: number): Promise<DestinationRow[]> =>
  tx
    .selectFrom('destination')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/**
 * A company's destinations that events are kept for, oldest first: those that are active, and those
 * that were turned off because they failed, so that nothing is lost until they work again.
 */
export const openDestinations = (tx: Tx, companyId: number): Promise<DestinationRow[]> =>
  tx
    .selectFrom('destination')
    .selectAll()
    .where('company_id', '=', companyId)
    .where((eb) => eb.or([eb('status', '=', 'active'), eb('off_because', '=', 'failing')]))
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** A destination. Undefined: none of this ID. */
export const destinationRow = (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<DestinationRow | undefined> =>
  tx
    .selectFrom('destination')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();

/**
 * The same of one provider, locked until the transaction ends; deliveries to it can be added meanwhile.
 * Undefined: none of this ID.
 */
export const lockDestination = (
  tx: Tx,
  companyId: number,
  provider: string,
  id: number,
): Promise<DestinationRow | undefined> =>
  tx
    .selectFrom('destination')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('provider', '=', provider)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Makes those who add a destination of a provider wait for each other, so that they are counted. */
export const lockProvider = (tx: Tx, companyId: number, provider: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`destination:${companyId}:${provider}`}, 0))`.execute(
    tx,
  );

/** Stores a destination and returns it; throws when the database refuses it. */
export const insertDestination = (
  tx: Tx,
  row: Insertable<Tables['destination']>,
): Promise<DestinationRow> =>
  tx.insertInto('destination').values(row).returningAll().executeTakeFirstOrThrow();

/** Changes a destination and returns it; throws when there is none of this ID. */
export const patchDestination = (
  tx: Tx,
  companyId: number,
  id: number,
  values: Updateable<Tables['destination']>,
): Promise<DestinationRow> =>
  tx
    .updateTable('destination')
    .set(values)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Removes a destination with its deliveries; none of this ID is no error. */
export const deleteDestination = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('destination').where('company_id', '=', companyId).where('id', '=', id).execute();

/** A delivery was taken: written at most once a minute, unless that is news. */
export const markWorking = (tx: Tx, companyId: number, id: number, now: Date) =>
  sql`update destination set last_sent_at = ${now}, failures = 0, failing_since = null,
      last_error = null, last_error_at = null
    where company_id = ${companyId} and id = ${id}
      and (failures > 0 or last_error is not null or last_sent_at is null
        or last_sent_at < ${now}::timestamptz - interval '1 minute')`.execute(tx);

/** A delivery was taken, except for something that a person can mend. */
export const markWarned = (tx: Tx, companyId: number, id: number, now: Date, warning: string) =>
  sql`update destination set last_sent_at = ${now}, last_error = ${warning}, last_error_at = ${now}
    where company_id = ${companyId} and id = ${id}`.execute(tx);

/** A delivery failed. */
export const markFailed = (tx: Tx, companyId: number, id: number, now: Date, error: string) =>
  sql`update destination set failures = failures + 1, last_error = ${error}, last_error_at = ${now},
      failing_since = coalesce(failing_since, ${now})
    where company_id = ${companyId} and id = ${id}`.execute(tx);

/** Companies with a destination that events are kept for. Read with the system role, for the relay. */
export const companiesDelivering = async (db: Tx): Promise<number[]> =>
  (
    await db
      .selectFrom('destination')
      .select('company_id')
      .distinct()
      .where((eb) => eb.or([eb('status', '=', 'active'), eb('off_because', '=', 'failing')]))
      .execute()
  ).map((row) => row.company_id);
