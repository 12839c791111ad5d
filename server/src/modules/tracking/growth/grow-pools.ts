import { accessTo, grantIn } from '../../../platform/access.ts';
import { audit } from '../../../platform/audit.ts';
import { readProgress } from '../../../platform/batches.ts';
import { enqueueIn, type Ctx, type TxCtx } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { actingAs, personNow } from '../../companies/index.ts';
import { requireNumberRoom } from '../../numbers/index.ts';
import { growPoolsJob } from '../job-kinds.ts';
import { buyNumbersFor, findNumbers, type FoundNumbers } from '../pools/buy-for-pool.ts';
import { publishPoolChanged } from '../pools/publish-pool-changed.ts';
import { lockPools, readPool, updatePoolRow, type PoolRecord } from '../pools/store.ts';
import { slotsOf } from '../pools/store-slots.ts';
import { mailGrowth, mailProblem } from './mail-growth.ts';
import { numbersToAdd, type Demand } from './rules.ts';
import { companiesWithGrowth, demandOf, growingPools } from './store.ts';

// The system role: finds the companies whose pools grow.

const MINUTE = 60_000;
/** Numbers that were bought have so long to be used before more are. */
const REST_MS = 15 * MINUTE;
/** After a problem it is tried again so much later. */
const RETRY_MS = 60 * MINUTE;
/** How far back visitors are looked at. */
const LOOK_BACK_MS = 60 * MINUTE;
/** Bought numbers join their pool within minutes; after this they are no longer waited for. */
const JOINING_MS = 60 * MINUTE;

const notAllowed =
  'The person who turned this on can’t buy numbers anymore. Turn it off and on again to continue in your name.';

/** Every five minutes: queues a look at the pools of each company that has some that grow. */
export const startGrowth = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    for (const companyId of await companiesWithGrowth(tx))
      await enqueueIn(tx, growPoolsJob, { companyId }, { key: `tracking.growPools:${companyId}` });
  });

/**
 * Buys numbers for the company's pools that are busy (A8.1 `autoScale`), as the person who turned that
 * on would: with their rights of this moment, and within the company's and the plan's limits. What
 * stands in the way is kept for the pool's screen. Run twice at once, the second finds the first's
 * purchase.
 */
export async function growPools(ctx: Ctx): Promise<void> {
  const ids = await ctx.inBackground().transaction((t) => growingPools(t.tx, t.companyId));
  for (const id of ids) await growPool(ctx, id);
}

async function growPool(ctx: Ctx, poolId: number): Promise<void> {
  const plan = await ctx.transaction((t) => planGrowth(t, poolId));
  if (!plan) return;
  if (typeof plan === 'string') return noteProblem(ctx, poolId, plan);
  const { pool, missing } = plan;
  const buyer = pool.auto_scale_by === null ? null : await personNow(ctx.db, pool.auto_scale_by);
  const access = buyer && accessTo(buyer, ctx.companyId);
  if (!buyer || !access || grantIn(access, 'numbers.buy') === 'none')
    return noteProblem(ctx, poolId, notAllowed);
  try {
    const found = await findNumbers(actingAs(ctx, buyer, access), missing, pool.settings);
    await ctx.transaction((t) => buy(t, actingAs(t, buyer, access), poolId, found));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await noteProblem(ctx, poolId, error.message);
  }
}

interface Growth {
  pool: PoolRecord;
  size: number;
  missing: number;
  demand: Demand;
}

/** What a pool needs more. Null: nothing, for now. Else why its last purchase brought nothing. */
async function planGrowth(t: TxCtx, poolId: number): Promise<Growth | string | null> {
  const { tx, companyId, now } = t;
  const pool = await readPool(tx, companyId, poolId, null, { lock: true });
  const isGrowing =
    pool?.settings.autoScale.enabled && pool.status === 'active' && pool.mode === 'visitor';
  if (!isGrowing || isWithin(pool.growth_problem_at, RETRY_MS, now)) return null;
  const slots = await slotsOf(tx, companyId, [poolId], null, now);
  const last = pool.growth_batch
    ? await readProgress(tx, companyId, pool.growth_batch, 'bulk-purchase')
    : undefined;
  if (last && !last.finishedAt) return null;
  const bought = (last?.result ?? []) as { id: number }[];
  if (last && !bought.length && pool.growth_problem_at === null)
    return last.errors[0]?.message ?? 'The numbers couldn’t be bought.';
  const members = new Set(slots.map((slot) => slot.number_id));
  const isJoining = bought.some(({ id }) => !members.has(id));
  if (isJoining && isWithin(last?.finishedAt ?? null, JOINING_MS, now)) return null;
  if (isWithin(pool.grown_at, REST_MS, now)) return null;
  const back = now.getTime() - LOOK_BACK_MS;
  const grownAt = pool.grown_at?.getTime() ?? 0;
  const demand = await demandOf(tx, companyId, poolId, {
    peak: new Date(Math.max(back, grownAt)),
    // Until the numbers had joined.
    ranOut: new Date(Math.max(back, grownAt + 5 * MINUTE)),
  });
  const missing = numbersToAdd(slots.length, demand, pool.settings.autoScale);
  return missing > 0 ? { pool, size: slots.length, missing, demand } : null;
}

const isWithin = (at: Date | null, ms: number, now: Date): boolean =>
  at !== null && at.getTime() > now.getTime() - ms;

/** Begins the purchase, unless another process did meanwhile. `acting`: in the buyer's name. */
async function buy(t: TxCtx, acting: TxCtx, poolId: number, found: FoundNumbers): Promise<void> {
  await lockPools(t.tx, t.companyId);
  const plan = await planGrowth(t, poolId);
  if (!plan || typeof plan === 'string') return;
  const { pool, size, missing, demand } = plan;
  const reservations = found.reservations.slice(0, missing);
  await requireNumberRoom(
    t,
    reservations.map(() => pool.settings.category),
  );
  const purchase = await buyNumbersFor(acting, pool, { wanted: missing, reservations });
  await updatePoolRow(t.tx, t.companyId, poolId, {
    ...{ grown_at: t.now, growth_batch: purchase?.batchId ?? null },
    ...{ growth_problem: null, growth_problem_at: null },
  });
  await audit(t, 'tracking_pool.grown', `tracking_pool:${poolId}`, {
    before: { size },
    after: { numbers: reservations.length, inTheNameOf: acting.actor.name, ...demand },
  });
  await mailGrowth(t, acting.actor.email, { pool, size, bought: reservations.length, demand });
  await publishPoolChanged(t, poolId);
}

/** Keeps why a pool can't grow, and emails who turned it on, once for each reason. */
async function noteProblem(ctx: Ctx, poolId: number, problem: string): Promise<void> {
  const by = await ctx.transaction(async (t) => {
    const pool = await readPool(t.tx, t.companyId, poolId, null, { lock: true });
    if (!pool || isWithin(pool.growth_problem_at, RETRY_MS, t.now)) return null;
    await updatePoolRow(t.tx, t.companyId, poolId, {
      ...{ growth_problem: problem, growth_problem_at: t.now },
    });
    await publishPoolChanged(t, poolId);
    return pool.growth_problem === problem ? null : pool;
  });
  const person = by?.auto_scale_by ? await personNow(ctx.db, by.auto_scale_by) : null;
  if (by && person) await mailProblem(ctx, person.email, by, problem);
}
