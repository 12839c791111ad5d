import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { actIn } from './store.ts';

/**
 * A transaction in the company a listing belongs to, on behalf of somebody of another one. Only for the few columns buyers
 * may touch: the caller has found the company by the listing's id, never by what a request says.
 */
export const inCompany = <T>(
  ctx: Ctx,
  companyId: number,
  work: (t: TxCtx) => Promise<T>,
): Promise<T> => ctx.transaction(async (t) => work(await actingIn(t, companyId)));

/** From here on the transaction acts in that company, until told otherwise. */
export async function actingIn(t: TxCtx, companyId: number): Promise<TxCtx> {
  await actIn(t.tx, companyId);
  return {
    ...t,
    companyId,
    say: (kind, data, about = {}) => t.say(kind, data, { companyId, ...about }),
    enqueue: (job, payload, options) => t.enqueue(job, { companyId, ...payload }, options),
  };
}
