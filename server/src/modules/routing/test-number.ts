import { sql } from 'kysely';
import type { World } from '../../../test/world.ts';

/** A number for tests of routing, straight into the table: buying one is another room's promise. */
export async function insertTestNumber(world: World, companyId: number, number: string): Promise<number> {
  const { rows } = await world.house.db.system((tx) => sql<{ id: number }>`insert into number (company_id, number) values (${companyId}, ${number}) returning id`.execute(tx));
  return rows[0]!.id;
}
