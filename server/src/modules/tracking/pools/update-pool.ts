import type { Answer, Body, tracking as contract } from '#contract';
import { entityOf } from '#contract/fields/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, invalid, notFound } from '../../../platform/errors.ts';
import { setValues } from '../../fields/index.ts';
import { buyNumbersFor, findNumbers, type FoundNumbers } from './buy-for-pool.ts';
import { addNumbers, removeNumbers, routeNumbers } from './change-members.ts';
import { getPool } from './list-pools.ts';
import { poolColumns, settingsOf } from './pool-columns.ts';
import { publishPoolChanged } from './publish-pool-changed.ts';
import { isPoolNameTaken, lockPools, readPool, updatePoolRow, type PoolRecord } from './store.ts';
import { endLeases, slotsOf } from './store-slots.ts';

type PoolBody = Body<typeof contract.updatePool>;

/**
 * Changes a pool and its numbers; what is left out stays. Numbers that are missing to `size` are
 * bought. Fails with 404, `pool.exists`, `number.in_pool`, 422 per field, or as buying does.
 */
export async function updatePool(
  ctx: Ctx,
  id: number,
  body: PoolBody,
): Promise<Answer<typeof contract.updatePool>> {
  const found = await ctx.transaction(async (t) => {
    const pool = (await readPool(t.tx, t.companyId, id, t.numbers)) ?? notFound();
    return {
      missing: await missingNumbers(t, pool, body),
      settings: settingsOf(body, pool.settings),
    };
  });
  const numbers = found.missing > 0 ? await findNumbers(ctx, found.missing, found.settings) : null;
  return ctx.transaction((t) => applyChange(t, id, body, numbers));
}

/** How many numbers are to be bought. Fails with 422 for a size below what the pool will have. */
async function missingNumbers(t: TxCtx, pool: PoolRecord, body: PoolBody): Promise<number> {
  if (body.size === undefined) return 0;
  const slots = await slotsOf(t.tx, t.companyId, [pool.id], null, t.now);
  const ids = new Set(slots.map(({ number_id }) => number_id));
  for (const one of body.removeNumberIds ?? []) ids.delete(one);
  for (const one of body.addNumberIds ?? []) ids.add(one);
  if (body.size < ids.size)
    invalid({ size: 'To make the pool smaller, take numbers out of it or release them.' });
  return body.size - ids.size;
}

async function applyChange(
  t: TxCtx,
  id: number,
  body: PoolBody,
  found: FoundNumbers | null,
): Promise<Answer<typeof contract.updatePool>> {
  await lockPools(t.tx, t.companyId);
  const before = (await readPool(t.tx, t.companyId, id, t.numbers, { lock: true })) ?? notFound();
  if (body.name !== undefined && (await isPoolNameTaken(t.tx, t.companyId, body.name, id)))
    fail('pool.exists');
  const columns = await poolColumns(t, body, before);
  await updatePoolRow(t.tx, t.companyId, id, { ...columns, updated_at: t.now });
  await setValues(t, entityOf.trackingPool, id, body.eavAttributeValues ?? []);
  await requireMembers(t, id, body.removeNumberIds ?? []);
  await removeNumbers(t, before, body.removeNumberIds ?? []);
  const pool = { ...before, ...columns };
  await addNumbers(t, pool, body.addNumberIds ?? [], 'addNumberIds');
  if (isRoutedDifferently(before, pool)) await routeAll(t, id);
  const isOut = pool.status === 'archived' || pool.mode !== before.mode;
  if (isOut) await endLeases(t.tx, t.companyId, id, t.now);
  const purchase = await buyNumbersFor(t, pool, found);
  const keys = Object.keys(body);
  const shown = Object.entries({ ...before.settings, ...before });
  await audit(t, 'tracking_pool.changed', `tracking_pool:${id}`, {
    before: Object.fromEntries(shown.filter(([key]) => keys.includes(key))),
    after: body,
  });
  await publishPoolChanged(t, id);
  return { data: { ...(await getPool({ ...t, numbers: null }, id)).data, purchase } };
}

async function requireMembers(t: TxCtx, id: number, numberIds: readonly number[]): Promise<void> {
  const slots = await slotsOf(t.tx, t.companyId, [id], t.numbers, t.now);
  const members = new Set(slots.map(({ number_id }) => number_id));
  if (numberIds.some((one) => !members.has(one))) notFound();
}

const isRoutedDifferently = (before: PoolRecord, after: PoolRecord): boolean =>
  before.template_id !== after.template_id ||
  before.schedule_id !== after.schedule_id ||
  before.settings.forwardNumber !== after.settings.forwardNumber ||
  before.settings.record !== after.settings.record;

async function routeAll(t: TxCtx, id: number): Promise<void> {
  const slots = await slotsOf(t.tx, t.companyId, [id], null, t.now);
  await routeNumbers(
    t,
    id,
    slots.map(({ number_id }) => number_id),
  );
}
