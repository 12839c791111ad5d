import { grantOf, type Answer, type EffectiveRole, type team } from '#contract';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { teamsWithPeople } from '../../companies/index.ts';
import { teammatesOf, type Teammate } from './store-teammates.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

/**
 * Whether this user sees conversations of a number (null: the inbox at all). The dispatch's own
 * rule: role first, then numbers.
 */
export function seesNumber(mate: Teammate, numberId: number | null): boolean {
  const grant = grantOf(mate.role as EffectiveRole, 'inbox.view', mate.switches);
  if (grant === 'none') return false;
  return (
    grant === 'all' ||
    numberId === null ||
    mate.number_ids.length === 0 ||
    mate.number_ids.includes(numberId)
  );
}

/**
 * The users who can be assigned or mentioned, and the teams they are in; with a number, only those who
 * may see it.
 */
export async function listTeammates(
  ctx: TxCtx,
  numberId: number | undefined,
): Promise<Answer<typeof team.listTeammates>> {
  const data = (await teammatesSeeing(ctx, numberId ?? null)).map(({ id, name }) => ({ id, name }));
  const ids = new Set(data.map((mate) => mate.id));
  const teams = (await teamsWithPeople(ctx.tx, ctx.companyId))
    .filter(({ userIds }) => userIds.some((id) => ids.has(id)))
    .map(({ id, name }) => ({ id, name }));
  return { data, teams };
}
/** The company's users who may see a number. Null: any of them. */
export const teammatesSeeing = async (ctx: Ctx, numberId: number | null): Promise<Teammate[]> =>
  (await teammatesOf(ctx.db.unscoped, ctx.companyId)).filter((mate) => seesNumber(mate, numberId));
