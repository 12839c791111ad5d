import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type TeamRow = Selectable<Tables['team']>;

/** The teams of a company by name; with `ids`, only these. */
export const teamRows = (tx: Tx, companyId: number, ids?: readonly number[]): Promise<TeamRow[]> =>
  tx
    .selectFrom('team')
    .selectAll()
    .where('company_id', '=', companyId)
    .$if(ids !== undefined, (q) =>
      q.where('id', '=', sql<number>`any(${[...(ids ?? [])]}::bigint[])`),
    )
    .orderBy('name_key')
    .execute();

/** A team with its people, deactivated ones included. */
export interface TeamWithPeople {
  id: number;
  name: string;
  userIds: number[];
}
/** The teams of a company with their people, by name; with `ids`, only these. */
export const teamsWithPeople = async (
  tx: Tx,
  companyId: number,
  ids?: readonly number[],
): Promise<TeamWithPeople[]> =>
  ids?.length === 0
    ? []
    : (
        await sql<TeamWithPeople>`select t.id, t.name, array(select m.user_id from team_member m
            where m.company_id = t.company_id and m.team_id = t.id order by 1) as "userIds"
          from team t where t.company_id = ${companyId}
            ${ids === undefined ? sql`` : sql`and t.id = any(${[...ids]}::bigint[])`}
          order by t.name_key`.execute(tx)
      ).rows;

/** These teams of a company by ID. */
export const teamsById = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<Map<number, TeamWithPeople>> =>
  new Map((await teamsWithPeople(tx, companyId, ids)).map((team) => [team.id, team]));

/** A team of the company, locked until the transaction ends. Undefined: none of this ID. */
export const lockTeam = (tx: Tx, companyId: number, id: number): Promise<TeamRow | undefined> =>
  tx
    .selectFrom('team')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** Serializes the making of teams, so that a company stays within its limit. */
export const lockTeamsOf = (tx: Tx, companyId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended('teams', ${companyId}))`.execute(tx);

/** How many teams a company has. */
export const countTeams = async (tx: Tx, companyId: number): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('team')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('company_id', '=', companyId)
        .executeTakeFirstOrThrow()
    ).n,
  );

/** Inserts a team. Undefined: another one has the name. */
export const insertTeam = (
  tx: Tx,
  row: { company_id: number; name: string; created_at: Date },
): Promise<TeamRow | undefined> =>
  tx
    .insertInto('team')
    .values(row)
    .onConflict((c) => c.columns(['company_id', 'name_key']).doNothing())
    .returningAll()
    .executeTakeFirst();

/** Whether another team of the company has this name, ignoring case. */
export const isNameTaken = async (
  tx: Tx,
  companyId: number,
  name: string,
  exceptId: number,
): Promise<boolean> =>
  (await tx
    .selectFrom('team')
    .select('id')
    .where('company_id', '=', companyId)
    .where('name_key', '=', sql<string>`lower(${name})`)
    .where('id', '<>', exceptId)
    .executeTakeFirst()) !== undefined;

/** Gives a team another name. */
export const renameTeamRow = (tx: Tx, companyId: number, id: number, name: string) =>
  tx
    .updateTable('team')
    .set({ name })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

/** Deletes a team with its list of people; the people stay. */
export const deleteTeamRow = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('team').where('company_id', '=', companyId).where('id', '=', id).execute();

/** Puts members of the company into a team; returns who wasn't in it. */
export const addMembers = async (
  tx: Tx,
  companyId: number,
  teamId: number,
  userIds: readonly number[],
): Promise<number[]> =>
  (
    await sql<{ user_id: number }>`insert into team_member (company_id, team_id, user_id)
      select ${companyId}, ${teamId}, u from unnest(${[...userIds]}::bigint[]) u
      on conflict do nothing returning user_id`.execute(tx)
  ).rows.map((row) => row.user_id);

/** Takes people out of a team; returns who was in it. */
export const removeMembers = async (
  tx: Tx,
  companyId: number,
  teamId: number,
  userIds: readonly number[],
): Promise<number[]> =>
  (
    await sql<{ user_id: number }>`delete from team_member where company_id = ${companyId}
      and team_id = ${teamId} and user_id = any(${[...userIds]}::bigint[])
      returning user_id`.execute(tx)
  ).rows.map((row) => row.user_id);

/** Which of these people are members of the company, deactivated ones included. */
export const membersAmong = async (
  tx: Tx,
  companyId: number,
  userIds: readonly number[],
): Promise<Set<number>> =>
  new Set(
    (
      await sql<{ user_id: number }>`select user_id from membership
        where company_id = ${companyId} and user_id = any(${[...userIds]}::bigint[])`.execute(tx)
    ).rows.map((row) => row.user_id),
  );

/** Who is in which team of a company, deactivated people included: they count towards its limit. */
export const teamMembers = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('team_member')
    .select(['team_id', 'user_id'])
    .where('company_id', '=', companyId)
    .execute();

/** Names of the active people of a company. Outside of row-level security, as people are global. */
export const activePeople = async (
  directory: Tx,
  companyId: number,
): Promise<Map<number, string>> =>
  new Map(
    (
      await sql<{ id: number; name: string }>`select p.id,
          coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as name
        from membership m join person p on p.id = m.user_id
        where m.company_id = ${companyId} and m.role <> 'deactivated' and p.disabled_at is null
        order by 2, 1`.execute(directory)
    ).rows.map(({ id, name }) => [id, name]),
  );

/** The company's numbers whose routes ring a team, without released ones. */
export const numbersRinging = async (
  tx: Tx,
  companyId: number,
  teamId: number,
): Promise<{ id: number; number: string }[]> =>
  (
    await sql<{ id: number; number: string }>`select distinct n.id, n.number from forward f
        join route r on r.company_id = f.company_id and r.id = f.route_id
        join number n on n.company_id = r.company_id and n.id = r.number_id
      where f.company_id = ${companyId} and f.team_id = ${teamId} and n.status <> 'released'
      order by n.number`.execute(tx)
  ).rows;
