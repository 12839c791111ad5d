import type { Ctx, TxCtx } from '../../platform/context.ts';
import { setCompany } from './store.ts';

/**
 * A transaction in the company a listing belongs to, for a person of another company. Only for the
 * few columns buyers may change: the caller found the company by the listing's ID, not in a request.
 */
export const inCompany = <T>(
  ctx: Ctx,
  companyId: number,
  work: (t: TxCtx) => Promise<T>,
): Promise<T> => ctx.transaction(async (t) => work(await switchCompany(t, companyId)));

/** From here on the transaction acts in that company. Switch back before using the old context. */
export async function switchCompany(t: TxCtx, companyId: number): Promise<TxCtx> {
  await setCompany(t.tx, companyId);
  return {
    ...t,
    companyId,
    publish: (kind, data, about = {}) => t.publish(kind, data, { companyId, ...about }),
    enqueue: (job, payload, options) => t.enqueue(job, { companyId, ...payload }, options),
  };
}
