import { numbers as contract, type Answer, type Body } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, refuse } from '../../platform/refuse.ts';
import { usualLimit } from './rules.ts';
import { insertLimitRequest, limitOf, openLimitRequest, setLimit, usedNumbers } from './store.ts';

type Request = Answer<typeof contract.requestNumberLimitIncrease>['data'];
const present = (row: {
  id: number;
  requested: number;
  status: string;
  created_at: Date;
}): Request => ({
  id: row.id,
  requested: row.requested,
  status: row.status as Request['status'],
  created_at: new Date(row.created_at).toISOString(),
});

export async function numberLimit(ctx: TxCtx): Promise<Answer<typeof contract.numberLimit>> {
  const open = await openLimitRequest(ctx.tx, ctx.companyId);
  return {
    data: {
      limit: await limitOf(ctx.tx, ctx.companyId, usualLimit),
      used: await usedNumbers(ctx.tx, ctx.companyId),
      pending_request: open ? present(open) : null,
    },
  };
}

/** Ask platform staff for more. One open request a company. */
export async function requestNumberLimitIncrease(
  ctx: TxCtx,
  body: Body<typeof contract.requestNumberLimitIncrease>,
): Promise<Answer<typeof contract.requestNumberLimitIncrease>> {
  const limit = await limitOf(ctx.tx, ctx.companyId, usualLimit);
  if (body.requested <= limit) invalid({ requested: `Ask for more than the ${limit} you have.` });
  const row =
    (await insertLimitRequest(ctx.tx, ctx.companyId, {
      requested: body.requested,
      reason: body.reason,
      requested_by: ctx.actor.userId || null,
      created_at: ctx.now,
    })) ?? refuse('numbers.limit_request_open');
  await audit(ctx, 'number-limit.requested', `company:${ctx.companyId}`, {
    before: { limit },
    after: { requested: body.requested, reason: body.reason },
  });
  await ctx.say(contract.numberLimitRequested, {
    companyId: ctx.companyId,
    requestId: row.id,
    requested: body.requested,
    reason: body.reason,
  });
  return { data: present(row) };
}

/** For whoever decides about limits (platform staff, billing, seeds). */
export const grantNumberLimit = (ctx: TxCtx, limit: number) =>
  setLimit(ctx.tx, ctx.companyId, limit);
