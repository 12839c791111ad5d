import type { TxCtx } from '../../../platform/context.ts';
import { visibleCall } from './store.ts';

/** The other party's number of a call that the actor sees; null: no such call. */
export const partyOfCall = async (ctx: TxCtx, id: number): Promise<string | null> =>
  ctx.may('calls.view') === 'none'
    ? null
    : ((await visibleCall(ctx.tx, ctx.companyId, id, ctx.numbers))?.party ?? null);
