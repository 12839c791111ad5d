import { numbers as contract, type Answer, type Body } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, fail } from '../../platform/errors.ts';
import { defaultLimit } from './rules.ts';
import {
  insertLimitRequest,
  limitOf,
  openLimitRequest,
  setLimit,
  usedNumbers,
} from './store-limit.ts';

type LimitRequest = Answer<typeof contract.requestNumberLimitIncrease>['data'];
const presentLimitRequest = (row: {
  id: number;
  requested: number;
  status: string;
  created_at: Date;
}): LimitRequest => ({
  id: row.id,
  requested: row.requested,
  status: row.status as LimitRequest['status'],
  created_at: new Date(row.created_at).toISOString(),
});

/** The company's limit, the numbers counted against it, and an open request to raise it. */
export async function numberLimit(ctx: TxCtx): Promise<Answer<typeof contract.numberLimit>> {
  const open = await openLimitRequest(ctx.tx, ctx.companyId);
  return {
    data: {
      limit: await limitOf(ctx.tx, ctx.companyId, defaultLimit),
      used: await usedNumbers(ctx.tx, ctx.companyId),
      pending_request: open ? presentLimitRequest(open) : null,
    },
  };
}

/** Asks platform staff for a higher limit. Fails with `numbers.limit_request_open`, or 422. */
export async function requestNumberLimitIncrease(
  ctx: TxCtx,
  body: Body<typeof contract.requestNumberLimitIncrease>,
): Promise<Answer<typeof contract.requestNumberLimitIncrease>> {
  const limit = await limitOf(ctx.tx, ctx.companyId, defaultLimit);
  if (body.requested <= limit)
    invalid({ requested: `Enter more than the ${limit} numbers you have.` });
  const row =
    (await insertLimitRequest(ctx.tx, ctx.companyId, {
      requested: body.requested,
      reason: body.reason,
      requested_by: ctx.actor.userId || null,
      created_at: ctx.now,
    })) ?? fail('numbers.limit_request_open');
  await audit(ctx, 'number-limit.requested', `company:${ctx.companyId}`, {
    before: { limit },
    after: { requested: body.requested, reason: body.reason },
  });
  await ctx.publish(contract.numberLimitRequested, {
    companyId: ctx.companyId,
    requestId: row.id,
    requested: body.requested,
    reason: body.reason,
  });
  return { data: presentLimitRequest(row) };
}

/** Sets a company's limit, for platform staff, billing and seeds. Checks no permission. */
export const grantNumberLimit = (ctx: TxCtx, limit: number) =>
  setLimit(ctx.tx, ctx.companyId, limit);
