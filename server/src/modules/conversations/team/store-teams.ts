import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** Names of these teams of a company, by ID. */
export const teamNames = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, string>> =>
  new Map(
    ids.length === 0
      ? []
      : (
          await tx
            .selectFrom('team')
            .select(['id', 'name'])
            .where('company_id', '=', companyId)
            .where('id', 'in', [...new Set(ids)])
            .execute()
        ).map(({ id, name }) => [id, name]),
  );

interface TeamOfPeople {
  id: number;
  name: string;
  userIds: number[];
}
/** The teams of a company with their people, by name; with `id` only this one. */
export const teamsWithPeople = async (
  tx: Tx,
  companyId: number,
  id?: number,
): Promise<TeamOfPeople[]> =>
  (
    await sql<TeamOfPeople>`select t.id, t.name, array(select m.user_id from team_member m
        where m.company_id = t.company_id and m.team_id = t.id) as "userIds"
      from team t where t.company_id = ${companyId}
        ${id === undefined ? sql`` : sql`and t.id = ${id}`} order by t.name_key`.execute(tx)
  ).rows;
