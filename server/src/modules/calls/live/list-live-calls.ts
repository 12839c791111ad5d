import type { Answer, live as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { presentLive } from './present.ts';
import { liveCalls } from './store.ts';

/** The running calls of the numbers the user sees, newest first. */
export const listLiveCalls = async (
  ctx: TxCtx,
): Promise<Answer<typeof contract.listLiveCalls>> => ({
  data: (await liveCalls(ctx.tx, ctx.companyId, ctx.numbers)).map((row) => presentLive(ctx, row)),
});

/** The parked calls of the numbers the user sees, by slot. */
export const listParkedCalls = async (
  ctx: TxCtx,
): Promise<Answer<typeof contract.listParkedCalls>> => ({
  data: (await liveCalls(ctx.tx, ctx.companyId, ctx.numbers, { parked: true }))
    .map((row) => presentLive(ctx, row))
    .sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0)),
});

/** A running call of a number the user sees, or one they are on; throws call.ended. */
export async function getLiveCall(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.getLiveCall>> {
  const row =
    (await liveCalls(ctx.tx, ctx.companyId, ctx.numbers, { id, mine: ctx.actor.userId }))[0] ??
    fail('call.ended');
  return { data: presentLive(ctx, row) };
}
