import { users as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { ApiError, invalid, notFound } from '../../../platform/errors.ts';
import { numbersOf } from '../store.ts';
import {
  activateUser,
  deactivateUser,
  giveRole,
  limitTo,
  lockEditable,
  publishAccess,
} from './change-access.ts';
import { membersByIds, type MemberName } from './store.ts';

// The system role: names of people, for IDs that the company’s own rows hold.

type Change = Body<typeof contract.updateManyUsers>;
type Result = Answer<typeof contract.updateManyUsers>['data'][number];
type Member = Awaited<ReturnType<typeof lockEditable>>;

/**
 * Changes several people, each in a transaction of its own and by the rules for one person. Those
 * who can't be changed are told with the reason. `not_found` for people or numbers of other
 * companies; then nothing changes.
 */
export async function updateManyUsers(
  ctx: Ctx,
  change: Change,
): Promise<Answer<typeof contract.updateManyUsers>> {
  const userIds = [...new Set(change.user_ids)];
  const names = await ctx.transaction(async (t) => {
    const known = new Set((await numbersOf(t.tx, t.companyId)).map((n) => n.id));
    if (change.numbers?.number_ids.some((id) => !known.has(id))) notFound();
    return membersByIds(t.db.unscoped, t.companyId, userIds);
  });
  if (names.length !== userIds.length) notFound();
  const data: Result[] = [];
  for (const person of names) data.push(await changeOne(ctx, person, change));
  return { data };
}

async function changeOne(ctx: Ctx, person: MemberName, change: Change): Promise<Result> {
  const who = { user_id: person.id, name: person.name };
  try {
    const before = await ctx.transaction((t) => apply(t, person.id, change));
    return { ...who, outcome: before ? 'changed' : 'unchanged', reason: null, before };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...who, outcome: 'refused', reason: reasonOf(error), before: null };
  }
}

/** The sentence of an error: that of its field, where it is about one. */
const reasonOf = (error: ApiError): string =>
  Object.values(error.errors ?? {}).flat()[0] ?? error.message;

/** Applies the change to a member. Null: nothing changed; else what they had before. */
async function apply(t: TxCtx, userId: number, change: Change): Promise<Result['before']> {
  const member = await lockEditable(t, userId);
  const before = { role: member.role, numbers: [...member.number_ids] };
  if (change.active !== undefined) {
    const isActive = member.role !== 'deactivated';
    if (isActive === change.active) return null;
    await (change.active ? activateUser(t, userId) : deactivateUser(t, userId));
    return before;
  }
  const log = { before: {}, after: {} };
  if (change.role !== undefined) {
    if (member.role === 'deactivated')
      invalid({ role: 'This person is deactivated. Activate them first.' });
    if (!(await giveRole(t, member, change.role))) return null;
    Object.assign(log, { before: { role: member.role }, after: { role: change.role } });
  } else {
    const numbers = numbersAfter(member, change);
    if (!(await limitTo(t, userId, member.number_ids, numbers))) return null;
    Object.assign(log, { before: { numbers: member.number_ids }, after: { numbers } });
  }
  await audit(t, 'user.updated', `user:${userId}`, log);
  await publishAccess(t, userId);
  return before;
}

/** The numbers a member is limited to afterwards; empty: all. Throws where adding or removing can't be. */
function numbersAfter(member: Member, { numbers }: Change): number[] {
  const { change, number_ids: ids } = numbers ?? { change: 'replace' as const, number_ids: [] };
  const now = member.number_ids;
  if (!contract.limitedRoles.includes(member.role))
    invalid({ numbers: 'People with this role have every number.' });
  if (change === 'replace') return [...ids];
  if (now.length === 0)
    return change === 'add'
      ? []
      : invalid({
          numbers: 'This person has every number. Replace their numbers to limit them.',
        });
  if (change === 'add') return [...new Set([...now, ...ids])];
  const left = now.filter((id) => !ids.includes(id));
  return left.length > 0
    ? left
    : invalid({
        numbers: 'These are their only numbers, and without them they would have every number.',
      });
}
