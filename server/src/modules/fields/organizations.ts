import type { Tx } from '../../platform/db.ts';

/** The organization of a company. Null: it has none. */
export const organizationIdOf = async (tx: Tx, companyId: number): Promise<number | null> =>
  (
    await tx
      .selectFrom('company')
      .select('organization_id')
      .where('id', '=', companyId)
      .executeTakeFirst()
  )?.organization_id ?? null;
/** Names of companies by ID, in no order; unknown IDs are left out. */
export const companyNames = (db: Tx, ids: readonly number[]) =>
  ids.length
    ? db
        .selectFrom('company')
        .select(['id', 'name'])
        .where('id', 'in', [...ids])
        .execute()
    : Promise.resolve([]);
/** The companies of an organization; needs the system role. */
export const companyIdsOf = async (db: Tx, organizationId: number): Promise<number[]> =>
  (
    await db
      .selectFrom('company')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .execute()
  ).map((c) => c.id);
