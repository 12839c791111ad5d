import {
  isTollFree,
  normalizePhone,
  type Answer,
  type Body,
  type caddy as contract,
} from '#contract';
import { tierOf } from '#contract/caddy/rules';
import type { Ctx } from '../../../platform/context.ts';
import { ApiError, fail, invalid } from '../../../platform/errors.ts';
import { mustBe } from '../../../platform/must-be.ts';
import type { Http } from '../../../platform/routes.ts';
import { buyNumbers, grantNumberLimit, heldNumbers, type HeldNumber } from '../../numbers/index.ts';
import { publishUsage } from '../usage.ts';
import { rewardInviter } from '../invitations/invite.ts';
import { lockAccount } from '../store.ts';
import { allowanceOf } from './plan-of-numbers.ts';
import { presentNumber } from './present-number.ts';
import { routeCalls } from './route-calls.ts';

/** Adds a number within the plan. @throws ApiError `caddy.limit`, `caddy.plus`, `numbers.taken` */
export async function addNumber(
  ctx: Ctx,
  http: Http,
  { number, label }: Body<typeof contract.addCaddyNumber>,
): Promise<Answer<typeof contract.addCaddyNumber>> {
  const bought = await buyOne(ctx, http, requireNumber(number), label ?? '');
  await ctx.transaction(publishUsage);
  await rewardInviter(ctx);
  return { data: presentNumber(bought) };
}

/** A typed number of the United States or Canada. @throws ApiError a field error */
export const requireNumber = (typed: string): string => {
  const number = normalizePhone(typed);
  return number?.startsWith('+1') ? number : invalid({ number: 'Choose a number of the catalog.' });
};

/**
 * Buys a number. The plan's numbers become the company's limit first, so that the purchase itself
 * counts them and two at once can't exceed it together.
 */
export async function buyOne(
  ctx: Ctx,
  http: Http,
  number: string,
  label: string,
): Promise<HeldNumber> {
  const { used, allowed } = await ctx.transaction(async (t) => {
    await lockAccount(t.tx, t.companyId);
    const allowance = await allowanceOf(t.tx, t.companyId);
    if (!allowance.isPaid && tierOf(number, isTollFree(number)) === 'plus') fail('caddy.plus');
    await grantNumberLimit(t, allowance.numbers);
    const held = await heldNumbers(t.tx, t.companyId);
    const used = held.filter(({ status }) => status === 'active').length;
    return { used, allowed: allowance.numbers };
  });
  const order = { numbers: [number], reservationIds: [], label };
  await buyNumbers(ctx, order, http).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'numbers.limit')
      fail('caddy.limit', { n: allowed }, { used, allowed });
    throw error;
  });
  const held = await ctx.transaction(async (t) => {
    await routeCalls(t);
    return heldNumbers(t.tx, t.companyId);
  });
  return mustBe(
    held.find((row) => row.number === number),
    'the number that was bought',
  );
}
