import { sql } from 'kysely';
import { featureKey, type FeatureName, type NumberSwitch } from '#contract/numbers/features/rules';
import type { Tx } from '../../../platform/db.ts';

/** A company and its settings, as far as features depend on them. */
interface FeatureCompany {
  id: number;
  name: string;
  settings: unknown;
}

/** The companies of an organization by name. Reads the companies' table, as the system role. */
export const companiesWithFeatures = async (
  db: Tx,
  organizationId: number,
): Promise<FeatureCompany[]> =>
  (
    await sql<FeatureCompany>`select id, name, settings from company
      where organization_id = ${organizationId} order by name, id`.execute(db)
  ).rows;

/** Those of these companies that have a value of their own. As the system role. */
export const withOwnValue = async (
  db: Tx,
  companyIds: readonly number[],
  feature: FeatureName,
): Promise<number[]> =>
  (
    await sql<{ company_id: number }>`select company_id from setting_value
      where company_id = any(${[...companyIds]}::bigint[]) and key = ${featureKey(feature)}
      order by company_id`.execute(db)
  ).rows.map((row) => row.company_id);

/** Live numbers of a company that lack one of these; faxes have none of them. */
export const numbersWithout = async (
  db: Tx,
  companyId: number,
  switches: readonly NumberSwitch[],
): Promise<number[]> => {
  const lacks = sql.join(
    switches.map((name) => sql`not ${sql.ref(name)}`),
    sql` or `,
  );
  return (
    await sql<{ id: number }>`select id from number where company_id = ${companyId}
      and status = 'active' and category <> 3 and (${lacks}) order by id`.execute(db)
  ).rows.map(({ id }) => id);
};
