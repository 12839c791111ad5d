import type { Ctx, TxCtx } from '../../platform/context.ts';
import { setCompany } from './store.ts';

/**
 * A transaction in the company a listing belongs to, on behalf of somebody of another one. Only for the few columns buyers
 * may touch: the caller has found the company by the listing's id, never by what a request says.
 */
export const inCompany = <T>(
  ctx: Ctx,
  companyId: number,
  work: (t: TxCtx) => Promise<T>,
): Promise<T> => ctx.transaction(async (t) => work(await switchCompany(t, companyId)));

/** From here on the transaction acts in that company, until told otherwise. */
export async function switchCompany(t: TxCtx, companyId: number): Promise<TxCtx> {
  await setCompany(t.tx, companyId);
  return {
    ...t,
    companyId,
    publish: (kind, data, about = {}) => t.publish(kind, data, { companyId, ...about }),
    enqueue: (job, payload, options) => t.enqueue(job, { companyId, ...payload }, options),
  };
}
