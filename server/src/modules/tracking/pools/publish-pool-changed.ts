import { tracking as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';

/** Tells open screens that a pool or its numbers are different now. */
export const publishPoolChanged = (ctx: TxCtx, poolId: number, { deleted = false } = {}) =>
  ctx.publish(contract.poolChanged, { companyId: ctx.companyId, poolId, deleted });
