import { sql, type RawBuilder } from 'kysely';
import type { CallGroup } from '#contract/analytics/call-analytics/rules';
import type { Tx } from '../../../platform/db.ts';

const tables: Partial<Record<CallGroup, (companyId: number) => RawBuilder<unknown>>> = {
  number: (companyId) => sql`select id, coalesce(nullif(label, ''), number) name
    from number where company_id = ${companyId}`,
  tag: (companyId) => sql`select id, name from tag where company_id = ${companyId}`,
  phrase_list: (companyId) => sql`select id, name from phrase_list
    where company_id = ${companyId}`,
  dni_pool: (companyId) => sql`select id, name from tracking_pool
    where company_id = ${companyId}`,
  company: (companyId) => sql`select id, name from company where id = ${companyId}`,
};

/** The names of what such a group's keys are IDs of, in this company; others are left out. */
export async function namesOf(
  tx: Tx,
  companyId: number,
  group: CallGroup,
  keys: readonly string[],
): Promise<Map<string, string>> {
  const from = tables[group]?.(companyId);
  if (!from || keys.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string }>`
    ${from} and id = any(${[...keys]}::bigint[])`.execute(tx);
  return new Map(rows.map(({ id, name }) => [String(id), name]));
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

/** The organization that a company is in; null: none. */
export async function unitOf(tx: Tx, companyId: number): Promise<number | null> {
  const { rows } = await sql<{ organization_id: number | null }>`
    select organization_id from company where id = ${companyId}`.execute(tx);
  return rows[0]?.organization_id ?? null;
}
