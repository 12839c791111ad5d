import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

// All of it runs as the system role: single sign-on is of organizations, above companies.

type ConnectionRow = Selectable<Tables['sso_connection']>;
export type DomainRow = Selectable<Tables['sso_domain']>;

/** An organization's provider. Undefined: none is connected. */
export const connectionOf = (db: Tx, organizationId: number): Promise<ConnectionRow | undefined> =>
  db
    .selectFrom('sso_connection')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();

/** Stores an organization's provider in place of the one before. */
export const putConnection = (tx: Tx, row: Insertable<Tables['sso_connection']>) => {
  const { organization_id: _, ...values } = row;
  return tx
    .insertInto('sso_connection')
    .values(row)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(values))
    .execute();
};

/** Disconnects an organization's provider. False: there was none. */
export const deleteConnection = async (tx: Tx, organizationId: number): Promise<boolean> =>
  (
    await tx
      .deleteFrom('sso_connection')
      .where('organization_id', '=', organizationId)
      .returning('organization_id')
      .execute()
  ).length > 0;

/** An organization's domains by name, proven or not; at most 50 are stored. */
export const domainsOf = (db: Tx, organizationId: number): Promise<DomainRow[]> =>
  db
    .selectFrom('sso_domain')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('domain')
    .limit(50)
    .execute();

/** One of an organization's domains. Undefined: it has none of this name. */
export const domainRow = (db: Tx, organizationId: number, domain: string) =>
  db
    .selectFrom('sso_domain')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('domain', '=', domain)
    .executeTakeFirst();

/** The organization that has proven a domain. Undefined: none. */
export const proverOf = (db: Tx, domain: string) =>
  db
    .selectFrom('sso_domain')
    .select('organization_id')
    .where('domain', '=', domain)
    .where('proven_at', 'is not', null)
    .executeTakeFirst();

/** Adds a domain. Nothing happens to one that is there. */
export const insertDomain = async (
  tx: Tx,
  row: Pick<DomainRow, 'organization_id' | 'domain' | 'token' | 'created_at'>,
): Promise<boolean> =>
  (
    await tx
      .insertInto('sso_domain')
      .values(row)
      .onConflict((conflict) => conflict.columns(['organization_id', 'domain']).doNothing())
      .returning('domain')
      .execute()
  ).length > 0;

/** Changes a domain. Throws 23505 when another organization has proven it meanwhile. */
export const patchDomain = (
  tx: Tx,
  { organization_id, domain }: Pick<DomainRow, 'organization_id' | 'domain'>,
  values: Updateable<Tables['sso_domain']>,
) =>
  tx
    .updateTable('sso_domain')
    .set(values)
    .where('organization_id', '=', organization_id)
    .where('domain', '=', domain)
    .execute();

/** Removes a domain. Undefined: there was none of this name. */
export const deleteDomain = (tx: Tx, organizationId: number, domain: string) =>
  tx
    .deleteFrom('sso_domain')
    .where('organization_id', '=', organizationId)
    .where('domain', '=', domain)
    .returningAll()
    .executeTakeFirst();

/**
 * Domains whose record is to be looked for: proven ones daily, those that wait or miss it hourly, and
 * those that have waited for 30 days no more.
 */
export const dueDomains = (db: Tx, now: Date): Promise<DomainRow[]> => {
  const before = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  return db
    .selectFrom('sso_domain')
    .selectAll()
    .where((where) =>
      where.or([
        where('checked_at', 'is', null),
        where.and([
          where('proven_at', 'is not', null),
          where('missing_since', 'is', null),
          // A little early, so that an hourly run finds those of the one a day before.
          where('checked_at', '<=', before(23.5)),
        ]),
        where.and([
          where.or([where('proven_at', 'is', null), where('missing_since', 'is not', null)]),
          where('created_at', '>', before(30 * 24)),
          where('checked_at', '<=', before(0.5)),
        ]),
        where.and([where('missing_since', 'is not', null), where('checked_at', '<=', before(0.5))]),
      ]),
    )
    .orderBy('checked_at')
    .limit(1000)
    .execute();
};
