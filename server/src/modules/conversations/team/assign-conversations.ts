import type { Answer, Body } from '#contract';
import { teamNotification } from '#contract/conversations/team/events';
import type { assignConversations as endpoint } from '#contract/conversations/team/endpoints';
import type { CrmName } from '#contract/contacts/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { teamsWithPeople } from '../../companies/index.ts';
import { asCrm } from '../../contacts/index.ts';
import { partyName } from '../present.ts';
import { publishConversationsUpdated } from '../publish-conversation-updated.ts';
import { lockConversationsByIds, type ConversationRow } from '../store.ts';
import { lockNeverAssigned, setAssignee } from './store-assignments.ts';
import { teammatesOf, type Teammate } from './store-teammates.ts';
import { seesNumber } from './teammates.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

/**
 * Assigns conversations to a user, a team, or a user within a team. Their rows are locked, so of two
 * concurrent calls the second sees the first: with `from` it then changes nothing and names the
 * assignee. Notifies the assignee, or the people of the team who see the number; never the actor.
 * Fails with `teammate.unknown`, `team.no_access`, and `not_found` for a team of another company.
 */
export async function assignConversations(
  ctx: TxCtx,
  body: Body<typeof endpoint>,
): Promise<Answer<typeof endpoint>> {
  const uniqueIds = [...new Set(body.ids)];
  const rows = await lockConversationsByIds(ctx.tx, ctx.companyId, uniqueIds, ctx.numbers);
  const assignee = body.userId === null ? null : await findAssignee(ctx, body.userId, rows);
  const team = body.teamId ? await findTeam(ctx, body.teamId, rows) : null;
  const teamId = body.teamId ?? (body.userId === null ? null : undefined);
  const taken =
    body.from === undefined
      ? []
      : rows.filter((row) => row.assigned_to !== body.from && row.assigned_to !== body.userId);
  const changing = rows.filter(
    (row) =>
      (row.assigned_to !== body.userId || (teamId !== undefined && row.team_id !== teamId)) &&
      !taken.includes(row),
  );
  const updated = changing.length
    ? await setAssignee(
        ctx.tx,
        ctx.companyId,
        changing.map((row) => row.id),
        assignee,
        ctx.now,
        teamId,
      )
    : [];
  await publishConversationsUpdated(ctx, 'assigned', updated);
  if (assignee && assignee.id !== ctx.actor.userId)
    for (const row of updated) await notifyAssignee(ctx, assignee.id, row);
  if (team && !assignee) await notifyTeam(ctx, team, updated);
  const changed = new Set(updated.map((row) => row.id));
  return {
    data: {
      updated: [...changed],
      unchanged: uniqueIds.filter((id) => !changed.has(id)),
      taken: taken.map((row) => ({
        id: row.id,
        by:
          row.assigned_to === null ? null : { id: row.assigned_to, name: row.assigned_name ?? '' },
      })),
    },
  };
}

/** The user, if they may see all these conversations; throws `teammate.unknown` otherwise. */
async function findAssignee(ctx: TxCtx, userId: number, rows: readonly ConversationRow[]) {
  const teammates = await teammatesOf(ctx.db.unscoped, ctx.companyId);
  const assignee = teammates.find((mate) => mate.id === userId);
  if (!assignee || rows.some((row) => !seesNumber(assignee, row.number_id)))
    return fail('teammate.unknown');
  return assignee;
}

interface SeeingTeam {
  name: string;
  people: Teammate[];
}
/** The team, if each conversation is seen by one of its people; `team.no_access` otherwise. */
async function findTeam(
  ctx: TxCtx,
  teamId: number,
  rows: readonly ConversationRow[],
): Promise<SeeingTeam> {
  const [team] = await teamsWithPeople(ctx.tx, ctx.companyId, [teamId]);
  if (!team) return notFound();
  const teammates = await teammatesOf(ctx.db.unscoped, ctx.companyId);
  const people = teammates.filter(({ id }) => team.userIds.includes(id));
  if (rows.some((row) => !people.some((mate) => seesNumber(mate, row.number_id))))
    fail('team.no_access', { team: team.name });
  return { name: team.name, people };
}

/** Of more conversations at once, a team's people are told of the first: each would be a notification. */
const mostTold = 20;

async function notifyTeam(
  ctx: TxCtx,
  { name, people }: SeeingTeam,
  rows: readonly ConversationRow[],
): Promise<void> {
  for (const row of rows.slice(0, mostTold))
    for (const mate of people)
      if (mate.id !== ctx.actor.userId && seesNumber(mate, row.number_id))
        await notifyAssignee(ctx, mate.id, row, ctx.actor.name, name);
}

/** `team`: the name of the team that it was assigned to; empty: to the user themselves. */
async function notifyAssignee(
  ctx: TxCtx,
  userId: number,
  row: ConversationRow,
  byName = ctx.actor.name,
  team = '',
): Promise<void> {
  await ctx.publish(
    teamNotification,
    {
      companyId: ctx.companyId,
      kind: 'assigned',
      userId,
      byName,
      conversationId: row.id,
      numberId: row.number_id,
      about: await partyName(ctx, row),
      text: team,
      key: `assigned:${row.id}:${ctx.now.getTime()}`,
    },
    { userId },
  );
}

/**
 * Assigns open conversations that no one was ever assigned to, to the owners of their contacts in a CRM:
 * users of the company with that email address who see the number. Others stay as they are.
 * @param owners email address by the contact's ID
 * @param crm its name as conversations remember it, and as the notified read it; `notify`: whether they are
 */
export async function assignToOwners(
  ctx: TxCtx,
  owners: ReadonlyMap<number, string>,
  crm: { provider: CrmName; label: string; notify: boolean },
): Promise<void> {
  if (owners.size === 0) return;
  const teammates = await teammatesOf(ctx.db.unscoped, ctx.companyId);
  const rows = await lockNeverAssigned(ctx.tx, ctx.companyId, [...owners.keys()]);
  for (const row of rows) {
    const email = owners.get(row.contact_id ?? 0)?.toLowerCase();
    const owner = teammates.find((mate) => mate.email.toLowerCase() === email);
    if (!owner || !seesNumber(owner, row.number_id)) continue;
    const updated = await asCrm(ctx.tx, crm.provider, () =>
      setAssignee(ctx.tx, ctx.companyId, [row.id], owner, ctx.now),
    );
    await publishConversationsUpdated(ctx, 'assigned', updated);
    if (crm.notify) await notifyAssignee(ctx, owner.id, row, crm.label);
  }
}
