import { sql, type RawBuilder } from 'kysely';
import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import type { Tx } from '../../../platform/db.ts';

const tables: Partial<Record<CallGroup, (ids: RawBuilder<unknown>) => RawBuilder<unknown>>> = {
  number: (ids) => sql`select id, coalesce(nullif(label, ''), number) name,
      company_id "companyId"
    from number where company_id = any(${ids})`,
  tag: (ids) => sql`select id, name, company_id "companyId"
    from tag where company_id = any(${ids})`,
  phrase_list: (ids) => sql`select id, name, company_id "companyId"
    from phrase_list where company_id = any(${ids})`,
  dni_pool: (ids) => sql`select id, name, company_id "companyId"
    from tracking_pool where company_id = any(${ids})`,
  company: (ids) => sql`select id, name, null "companyId" from company where id = any(${ids})`,
};

/** What something is called, and the company it belongs to; null: to none. */
interface Named {
  name: string;
  companyId: number | null;
}

/** The names of what such a group's keys are IDs of, in these companies; others are left out. */
export async function namesOf(
  tx: Tx,
  companyIds: readonly number[],
  group: CallGroup,
  keys: readonly string[],
): Promise<Map<string, Named>> {
  const from = tables[group]?.(sql`${[...companyIds]}::bigint[]`);
  if (!from || keys.length === 0) return new Map();
  const { rows } = await sql<Named & { id: number }>`
    ${from} and id = any(${[...keys]}::bigint[])`.execute(tx);
  return new Map(rows.map(({ id, ...named }) => [String(id), named]));
}

/**
 * The names of people, as the system role: people belong to no company, and the application's role
 * reads only who asks.
 */
export async function namesOfPeople(db: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) name
    from person where id = any(${[...ids]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [String(id), name]));
}

/** Companies by name, each with its organization, and whether it is deactivated or suspended. */
export async function placesOf(
  db: Tx,
  ids: readonly number[],
): Promise<{ id: number; name: string; organizationId: number | null; isClosed: boolean }[]> {
  const { rows } = await sql<{
    id: number;
    name: string;
    organizationId: number | null;
    isClosed: boolean;
  }>`
    select id, name, organization_id "organizationId",
      status = 2 or suspended_at is not null "isClosed"
    from company where id = any(${[...ids]}::bigint[]) order by name, id`.execute(db);
  return rows;
}
