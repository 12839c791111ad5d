import type { Tx } from '../src/platform/db.ts';
import type { UserIds } from './demo-people.ts';

const teams: Readonly<Record<string, readonly string[]>> = {
  'Front desk': ['administrator', 'user'],
  Hygienists: ['user'],
  Billing: ['billing', 'owner'],
};

/** The teams of the demo's first company. */
export async function seedTeams(tx: Tx, companyId: number, id: UserIds, at: Date): Promise<void> {
  for (const [name, people] of Object.entries(teams)) {
    const team = await tx
      .insertInto('team')
      .values({ company_id: companyId, name, created_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('team_member')
      .values(people.map((key) => ({ company_id: companyId, team_id: team.id, user_id: id(key) })))
      .execute();
  }
}
