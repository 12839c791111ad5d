import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import type { SeedCompany } from './demo-rows.ts';
import type { UserIds } from './demo-people.ts';

const teams: Readonly<Record<string, readonly string[]>> = {
  'Front desk': ['administrator', 'user'],
  Hygienists: ['user'],
  Billing: ['billing', 'owner'],
};

/**
 * The teams of the demo's first company. Its billing number rings Billing, and some conversations are the
 * front desk's.
 */
export async function seedTeams(
  tx: Tx,
  { id: companyId, numbers }: SeedCompany,
  id: UserIds,
  at: Date,
): Promise<void> {
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
    if (name === 'Billing') await ringTeam(tx, companyId, numbers[3]!.id, team.id);
    const line = { 'Front desk': numbers[0], Billing: numbers[3] }[name];
    if (line) await assignTo(tx, companyId, { teamId: team.id, numberId: line.id, at });
  }
}

/** Gives a team some of a number's open conversations that are no one's. */
const assignTo = (
  tx: Tx,
  companyId: number,
  { teamId, numberId, at }: { teamId: number; numberId: number; at: Date },
) =>
  sql`update conversation set team_id = ${teamId}, assigned_at = ${at}
    where company_id = ${companyId} and id in (select c.id from conversation c
      where c.company_id = ${companyId} and c.number_id = ${numberId} and c.assigned_to is null
        and c.archived_at is null and c.deleted_at is null
      order by c.last_activity_at desc, c.id desc offset 2 limit 3)`.execute(tx);

/** Lets a number ring a team instead of the people its one route names. */
async function ringTeam(
  tx: Tx,
  companyId: number,
  numberId: number,
  teamId: number,
): Promise<void> {
  const route = await tx
    .selectFrom('route')
    .select('id')
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .executeTakeFirstOrThrow();
  const ofRoute = { company_id: companyId, route_id: route.id };
  await tx
    .deleteFrom('forward')
    .where('company_id', '=', companyId)
    .where('route_id', '=', route.id)
    .execute();
  await tx
    .insertInto('forward')
    .values({ ...ofRoute, position: 0, team_id: teamId })
    .execute();
}
