import type { TxCtx } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import { publishAccess } from './users/change-access.ts';
import { lockMemberNumbers, setMemberNumbers } from './store-members.ts';

/**
 * Sets which of the users limited to certain numbers have this one. An empty list means every number
 * (A4), so adding this number to an unlimited user, or removing a user's last one, fails with 422.
 */
export async function limitUsersToNumber(
  ctx: TxCtx,
  numberId: number,
  userIds: readonly number[],
): Promise<void> {
  const members = await lockMemberNumbers(ctx.tx, ctx.companyId);
  for (const userId of userIds) {
    const member = members.find((m) => m.user_id === userId);
    if (!member) invalid({ user_ids: 'This person isn’t active in the company.' });
    if (!member.number_ids.length)
      invalid({
        user_ids:
          'This person already has every number. Limit them to certain numbers under Users first.',
      });
  }
  for (const member of members) {
    const has = member.number_ids.includes(numberId);
    const should = userIds.includes(member.user_id);
    if (has === should) continue;
    const numbers = should
      ? [...member.number_ids, numberId]
      : member.number_ids.filter((id) => id !== numberId);
    if (!numbers.length)
      invalid({
        user_ids:
          'This is the only number of a person you removed, and without it they would have every number. Assign them another first.',
      });
    await setMemberNumbers(ctx.tx, ctx.companyId, member.user_id, numbers);
    await publishAccess(ctx, member.user_id);
  }
}
