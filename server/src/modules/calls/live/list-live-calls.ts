import type { Answer, live as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { presentLive } from './present.ts';
import { liveCalls } from './store.ts';

export const listLiveCalls = async (
  ctx: TxCtx,
): Promise<Answer<typeof contract.listLiveCalls>> => ({
  data: (await liveCalls(ctx.tx, ctx.companyId, ctx.numbers)).map((row) => presentLive(ctx, row)),
});

export const listParkedCalls = async (
  ctx: TxCtx,
): Promise<Answer<typeof contract.listParkedCalls>> => ({
  data: (await liveCalls(ctx.tx, ctx.companyId, ctx.numbers, { parked: true }))
    .map((row) => presentLive(ctx, row))
    .sort((a, b) => (a.slot ?? 0) - (b.slot ?? 0)),
});

/** One running call: of a number one sees, or one that one is in. */
export async function getLiveCall(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.getLiveCall>> {
  const row =
    (await liveCalls(ctx.tx, ctx.companyId, ctx.numbers, { id, mine: ctx.actor.userId }))[0] ??
    fail('call.ended');
  return { data: presentLive(ctx, row) };
}
