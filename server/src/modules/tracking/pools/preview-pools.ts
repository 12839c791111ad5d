import type { Answer, Body, tracking as contract } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { classify } from '../classification/classify.ts';
import type { KnownSource } from '../classification/types.ts';
import { ownSources } from '../sources/classify-visit.ts';
import {
  candidatesOf,
  classifyIn,
  defaultNumberOf,
  fixedNumberOf,
  type Candidate,
} from './candidates.ts';
import { choosePool } from './choose-pool.ts';
import { poolColumns, settingsOf } from './pool-columns.ts';
import { nextFreeNumber, numberToShare } from './store-slots.ts';

type Draft = NonNullable<Body<typeof contract.previewPools>['draft']>;
type Given = Pick<contract.PoolPreview, 'number' | 'because'>;

/**
 * Which number a visitor would get right now: the pool is chosen and the number found by the
 * functions that serve visitors. Leases nothing. Fails with 404 for a foreign pool, 422 for foreign sources
 * and numbers.
 */
export async function previewPools(
  ctx: TxCtx,
  { url, referrer, draft }: Body<typeof contract.previewPools>,
): Promise<Answer<typeof contract.previewPools>> {
  const visit = { url, referrer };
  const sources = await ownSources(ctx);
  // Refuses what isn't the company's, as saving it would.
  if (draft) await poolColumns(ctx, draft);
  const candidates = withDraft(await candidatesOf(ctx), draft);
  const classified = (pool: Candidate) => classifyIn(visit, pool.settings, sources);
  const { pool, skipped } = choosePool(candidates, visit, classified);
  const first = pool ?? candidates[0];
  const classification = first
    ? classified(first)
    : classify(visit, { sources, domains: [], parameterNames: {} });
  return {
    data: {
      classification,
      pool: pool && { id: pool.id, name: pool.name },
      ...(pool
        ? await numberIn(ctx, pool, classification.source.id, sources)
        : { number: null, because: 'none' as const }),
      skipped: skipped.map(({ pool: other, why }) => ({
        poolId: other.id,
        name: other.name,
        why,
      })),
    },
  };
}

/** The pools with the one being edited as it would be. */
function withDraft(pools: Candidate[], draft: Draft | undefined): Candidate[] {
  if (!draft) return pools;
  const { poolId, ...patch } = draft;
  const before = poolId === undefined ? undefined : pools.find(({ id }) => id === poolId);
  if (poolId !== undefined && !before) notFound();
  const edited: Candidate = {
    id: before?.id ?? null,
    name: patch.name ?? before?.name ?? '',
    status: patch.status ?? before?.status ?? 'active',
    mode: patch.mode ?? before?.mode ?? 'visitor',
    sourceIds: patch.sourceIds ?? before?.sourceIds ?? [],
    size: before?.size ?? null,
    settings: settingsOf(patch, before?.settings),
    defaultNumberId:
      patch.defaultNumberId === undefined
        ? (before?.defaultNumberId ?? null)
        : patch.defaultNumberId,
    numbers: before?.numbers ?? [],
  };
  return before ? pools.map((pool) => (pool === before ? edited : pool)) : [...pools, edited];
}

async function numberIn(
  ctx: TxCtx,
  pool: Candidate,
  sourceId: number,
  sources: readonly KnownSource[],
): Promise<Given> {
  if (pool.mode === 'source')
    return { number: fixedNumberOf(pool, sourceId, sources), because: 'static' };
  if (pool.id !== null) {
    const { quarantineMinutes, exhaustedPolicy } = pool.settings;
    const free = await nextFreeNumber(ctx.tx, ctx.companyId, pool.id, quarantineMinutes, ctx.now);
    if (free !== null) return { number: free, because: 'idle_longest' };
    const shared =
      exhaustedPolicy === 'share'
        ? await numberToShare(ctx.tx, ctx.companyId, pool.id, ctx.now)
        : null;
    if (shared !== null) return { number: shared, because: 'shared' };
  }
  const number = await defaultNumberOf(ctx, pool);
  return { number, because: number === null ? 'none' : 'default' };
}
