import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';

/**
 * Two data groups of the demo's organization: its dental offices with the company that does their
 * marketing, and everything that a front desk answers.
 */
export async function seedDataGroups(
  tx: Tx,
  organizationId: number,
  companies: readonly number[],
): Promise<void> {
  const group = async (name: string, description: string): Promise<number> => {
    const { rows } = await sql<{ id: number }>`
      insert into data_group (organization_id, name, description)
      values (${organizationId}, ${name}, ${description}) returning id`.execute(tx);
    return rows[0]!.id; // The insert returns its row.
  };
  const everyone = await group('All companies', 'What the monthly review looks at');
  await sql`insert into data_group_entity (organization_id, group_id, type, entity_id)
    select ${organizationId}::bigint, ${everyone}::bigint, 'company', c
    from unnest(${[...companies]}::bigint[]) c`.execute(tx);
  const desks = await group('Front desks', 'Numbers that a person answers, and who answers them');
  await sql`insert into data_group_entity (organization_id, group_id, type, entity_id)
    select ${organizationId}::bigint, ${desks}::bigint, 'number', n.id from number n
    where n.company_id = any(${[...companies]}::bigint[]) and n.label ilike any (array['%front%', '%main%'])
    union
    select ${organizationId}::bigint, ${desks}::bigint, 'user', m.user_id from membership m
    where m.company_id = ${companies[0]} and m.role = 'user'`.execute(tx);
}
