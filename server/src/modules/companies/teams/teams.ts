import { teams as contract, type Answer, type Body } from '#contract';
import { formatPhone } from '#contract/phone';
import { mostMembers, mostTeams } from '#contract/companies/teams/rules';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { firstOf } from '../../../platform/must-be.ts';
import {
  activePeople,
  addMembers,
  countTeams,
  deleteTeamRow,
  insertTeam,
  isNameTaken,
  lockTeam,
  lockTeamsOf,
  membersAmong,
  numbersRinging,
  removeMembers,
  renameTeamRow,
  teamMembers,
  teamRows,
  type TeamRow,
} from './store.ts';

// The system role: names of people, for IDs that the company’s own rows hold.

type Team = Answer<typeof contract.listTeams>['data'][number];

async function present(ctx: TxCtx, rows: readonly TeamRow[]): Promise<Team[]> {
  const names = await activePeople(ctx.db.unscoped, ctx.companyId);
  const members = await teamMembers(ctx.tx, ctx.companyId);
  return rows.map(({ id, name, created_at }) => {
    const inTeam = new Set(members.filter((one) => one.team_id === id).map((one) => one.user_id));
    return {
      id,
      name,
      members: [...names].flatMap(([userId, of]) =>
        inTeam.has(userId) ? [{ id: userId, name: of }] : [],
      ),
      created_at: created_at.toISOString(),
    };
  });
}

const presentOne = async (ctx: TxCtx, row: TeamRow): Promise<{ data: Team }> => ({
  data: firstOf(await present(ctx, [row])),
});

/** All teams of the company, by name. */
export const listTeams = async (ctx: TxCtx): Promise<Answer<typeof contract.listTeams>> => ({
  data: await present(ctx, await teamRows(ctx.tx, ctx.companyId)),
});

/** A team of the company with the numbers that ring it; `not_found`: there is none of this ID. */
export async function getTeam(ctx: TxCtx, id: number): Promise<Answer<typeof contract.getTeam>> {
  const [row] = await teamRows(ctx.tx, ctx.companyId, [id]);
  const { data } = await presentOne(ctx, row ?? notFound());
  const numbers = await numbersRinging(ctx.tx, ctx.companyId, id);
  return {
    data: {
      ...data,
      numbers: numbers.filter((one) => ctx.numbers === null || ctx.numbers.includes(one.id)),
    },
  };
}

/** Creates a team. Fails with `team.exists` and `team.too_many`, or names people who aren't the company's. */
export async function createTeam(
  ctx: TxCtx,
  { name, user_ids: userIds }: Body<typeof contract.createTeam>,
): Promise<{ data: Team }> {
  const { tx, companyId } = ctx;
  await lockTeamsOf(tx, companyId);
  if ((await countTeams(tx, companyId)) >= mostTeams) fail('team.too_many', { most: mostTeams });
  await requireMembers(ctx, 'user_ids', userIds);
  const row =
    (await insertTeam(tx, { company_id: companyId, name, created_at: ctx.now })) ??
    fail('team.exists', { name });
  const added = await addMembers(tx, companyId, row.id, userIds);
  const team = await presentOne(ctx, row);
  await audit(ctx, 'team.created', `team:${row.id}`, {
    after: { name, ...(added.length > 0 && { people: team.data.members.map((one) => one.name) }) },
  });
  await publish(ctx, row.id);
  return team;
}

/** Renames a team. Fails with `team.exists`. */
export async function renameTeam(ctx: TxCtx, id: number, name: string): Promise<{ data: Team }> {
  const team = (await lockTeam(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (team.name !== name) {
    if (await isNameTaken(ctx.tx, ctx.companyId, name, id)) fail('team.exists', { name });
    await renameTeamRow(ctx.tx, ctx.companyId, id, name);
    await audit(ctx, 'team.renamed', `team:${id}`, {
      before: { name: team.name },
      after: { name },
    });
    await publish(ctx, id);
  }
  return presentOne(ctx, { ...team, name });
}

/** Numbers that an error names; it counts the others. */
const namedNumbers = 3;

/**
 * Deletes a team; its people stay in the company. Fails with `not_found`, and with `team.in_use`: a number rings it, and its callers would
 * reach fewer people without anyone deciding that.
 */
export async function deleteTeam(ctx: TxCtx, id: number): Promise<void> {
  const team = (await lockTeam(ctx.tx, ctx.companyId, id)) ?? notFound();
  const numbers = await numbersRinging(ctx.tx, ctx.companyId, id);
  if (numbers.length > 0) {
    const named = numbers.slice(0, namedNumbers).map((one) => formatPhone(one.number));
    const more = numbers.length - named.length;
    fail('team.in_use', { numbers: named.join(', ') + (more > 0 ? ` and ${more} more` : '') });
  }
  const { data } = await presentOne(ctx, team);
  await deleteTeamRow(ctx.tx, ctx.companyId, id);
  await audit(ctx, 'team.deleted', `team:${id}`, {
    before: { name: team.name, people: data.members.map((one) => one.name) },
  });
  await publish(ctx, id);
}

/**
 * Adds and removes people; who is in both lists is removed. Returns who really joined or left, so that
 * a change can be undone. Fails with `team.full`, or names people who aren't the company's.
 */
export async function changeTeamMembers(
  ctx: TxCtx,
  id: number,
  { add_user_ids: add, remove_user_ids: remove }: Body<typeof contract.changeTeamMembers>,
): Promise<Answer<typeof contract.changeTeamMembers>> {
  const { tx, companyId } = ctx;
  const team = (await lockTeam(tx, companyId, id)) ?? notFound();
  await requireMembers(ctx, 'add_user_ids', add);
  await requireMembers(ctx, 'remove_user_ids', remove);
  const wanted = add.filter((one) => !remove.includes(one));
  const removed = await removeMembers(tx, companyId, id, remove);
  const added = await addMembers(tx, companyId, id, wanted);
  const size = (await teamMembers(tx, companyId)).filter((one) => one.team_id === id).length;
  if (size > mostMembers) fail('team.full', { most: mostMembers });
  if (added.length + removed.length > 0) {
    const names = await activePeople(ctx.db.unscoped, companyId);
    const namesOf = (ids: readonly number[]) =>
      ids.map((one) => names.get(one) ?? `User ${one}`).toSorted();
    await audit(ctx, 'team.members_changed', `team:${id}`, {
      after: {
        name: team.name,
        ...(added.length > 0 && { added: namesOf(added) }),
        ...(removed.length > 0 && { removed: namesOf(removed) }),
      },
    });
    await publish(ctx, id);
  }
  return { ...(await presentOne(ctx, team)), added, removed };
}

/** Refuses people who aren't members of the company, naming the first by its place. */
async function requireMembers(ctx: TxCtx, field: string, userIds: readonly number[]) {
  const known = await membersAmong(ctx.tx, ctx.companyId, userIds);
  const at = userIds.findIndex((one) => !known.has(one));
  if (at >= 0) invalid({ [`${field}.${at}`]: 'This person isn’t in the company.' });
}

const publish = (ctx: TxCtx, teamId: number) =>
  ctx.publish(contract.teamChanged, { companyId: ctx.companyId, teamId });
