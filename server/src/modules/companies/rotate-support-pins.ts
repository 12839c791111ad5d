import { companies as contract } from '#contract';
import { publishIn, type Ctx } from '../../platform/context.ts';
import { replaceSupportPins } from './store.ts';

// The system role: runs before a company is chosen, or creates one.

/** Job: every company gets another support PIN (A25: weekly). Twice only changes them again. */
export const rotateSupportPins = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    for (const companyId of await replaceSupportPins(tx))
      await publishIn(tx, contract.companyChanged, { companyId }, { companyId, bulk: true });
  });
