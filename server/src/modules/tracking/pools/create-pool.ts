import type { Answer, Body, tracking as contract } from '#contract';
import { poolLimits } from '#contract/tracking/pool-rules';
import { entityOf } from '#contract/fields/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { requireIncluded } from '../../billing/index.ts';
import { setValues } from '../../fields/index.ts';
import { buyNumbersFor, findNumbers } from './buy-for-pool.ts';
import { addNumbers } from './change-members.ts';
import { getPool } from './list-pools.ts';
import { poolColumns, settingsOf } from './pool-columns.ts';
import { publishPoolChanged } from './publish-pool-changed.ts';
import { allPools, insertPool, isPoolNameTaken, lockPools, readPool } from './store.ts';

/**
 * Creates a pool with the numbers named, and buys those that are missing to its size. Fails with
 * `plan.limit`, `pool.exists`, 404 for foreign numbers, `number.in_pool`, 422 per field, or as `findNumbers` and
 * `buyNumbersFor` do; then nothing is created.
 */
export async function createPool(
  ctx: Ctx,
  body: Body<typeof contract.createPool>,
): Promise<Answer<typeof contract.createPool>> {
  const numberIds = [...new Set(body.numberIds)];
  const missing = (body.size ?? numberIds.length) - numberIds.length;
  if (missing < 0) invalid({ size: 'Enter at least as many numbers as you chose.' });
  const found = missing > 0 ? await findNumbers(ctx, missing, settingsOf(body)) : null;
  return ctx.transaction(async (t) => {
    await lockPools(t.tx, t.companyId);
    const pools = await allPools(t.tx, t.companyId);
    if (pools.length >= poolLimits.pools)
      invalid({ name: `At most ${poolLimits.pools} pools. Delete one that you no longer need.` });
    await requireIncluded(t, 'tracking_pools', pools.length + 1);
    if (await isPoolNameTaken(t.tx, t.companyId, body.name, null)) fail('pool.exists');
    const columns = await poolColumns(t, body);
    const id = await insertPool(
      t.tx,
      t.companyId,
      { ...columns, name: body.name, mode: body.mode, created_by: t.actor.userId || null },
      t.now,
    );
    const pool = (await readPool(t.tx, t.companyId, id, null, { lock: true })) ?? notFound();
    await setValues(t, entityOf.trackingPool, id, body.eavAttributeValues ?? [], {
      complete: true,
    });
    await addNumbers(t, pool, numberIds, 'numberIds');
    const purchase = await buyNumbersFor(t, pool, found);
    await audit(t, 'tracking_pool.added', `tracking_pool:${id}`, { after: body });
    await publishPoolChanged(t, id);
    return { data: { ...(await getPool({ ...t, numbers: null }, id)).data, purchase } };
  });
}
