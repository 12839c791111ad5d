import type { Ctx } from '../../../platform/context.ts';
import { applyTemplate, numberRecord } from '../../numbers/index.ts';
import { updateNumber } from '../../routing/index.ts';
import { readPool, type PoolRecord } from './store.ts';

/**
 * Job `tracking.routeNumbers`: gives numbers the template, destination, hours and recording of their
 * pool, where the pool has any. One transaction a number; running again changes nothing more.
 */
export async function routePoolNumbers(
  ctx: Ctx,
  { poolId, numberIds }: { poolId: number; numberIds: readonly number[] },
): Promise<void> {
  for (const numberId of numberIds)
    await ctx.transaction(async (t) => {
      const pool = await readPool(t.tx, t.companyId, poolId, null);
      const number = await numberRecord(t.tx, t.companyId, numberId);
      if (!pool || number?.dni_pool_id !== poolId) return;
      if (pool.template_id !== null && number.template_id !== pool.template_id)
        await applyTemplate(t, numberId, pool.template_id);
      const patch = routingOf(pool);
      if (Object.keys(patch).length > 0) await updateNumber(t, numberId, patch);
    });
}

const routingOf = ({ settings, schedule_id }: PoolRecord) => ({
  ...(settings.forwardNumber !== null && {
    routingType: 'standard' as const,
    forwardNumber: settings.forwardNumber,
  }),
  ...(settings.record !== null && { record: settings.record }),
  ...(schedule_id !== null && { schedule_id }),
});
