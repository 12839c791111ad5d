import type { tracking as contract } from '#contract';
import { recommendedSize } from '#contract/tracking/pool-rules';
import { entityOf } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { valuesOf } from '../../fields/index.ts';
import { numberLabels } from '../../numbers/index.ts';
import { companyKey } from '../visits/tokens.ts';
import type { PoolRecord } from './store.ts';
import { poolFigures, slotsOf, type SlotView } from './store-slots.ts';

type Figures = Awaited<ReturnType<typeof poolFigures>> extends Map<number, infer F> ? F : never;

const instant = (at: Date) => new Date(at).toISOString();

const usedBy = (slots: readonly SlotView[]): contract.PoolRow['use'] => {
  const use = { free: 0, leased: 0, quarantine: 0, static: 0 };
  for (const { state } of slots) use[state]++;
  return use;
};

function statsOf(
  figures: Figures | undefined,
  slots: readonly SlotView[],
): contract.PoolRow['stats'] {
  const peak = figures?.peak_7d ?? 0;
  const { leased } = usedBy(slots);
  return {
    sessions24h: figures?.sessions_24h ?? 0,
    peakConcurrent7d: peak,
    utilizationPct: slots.length ? Math.round((100 * leased) / slots.length) : 0,
    exhaustedCount24h: figures?.exhausted_24h ?? 0,
    recommendedSize: recommendedSize(peak),
  };
}

/** Pools as the API shows them in lists, each with the numbers that the actor sees. */
export async function presentPools(
  ctx: TxCtx,
  rows: readonly PoolRecord[],
): Promise<Omit<contract.Pool, 'hits24h' | 'remembered' | 'growth'>[]> {
  const ids = rows.map(({ id }) => id);
  const slots = await slotsOf(ctx.tx, ctx.companyId, ids, ctx.numbers, ctx.now);
  const figures = await poolFigures(ctx.tx, ctx.companyId, ids, ctx.now);
  const labels = await numberLabels(
    ctx.tx,
    ctx.companyId,
    slots.map(({ number_id }) => number_id),
  );
  const values = await valuesOf(ctx, entityOf.trackingPool, ids);
  return rows.map((row) => {
    const own = slots.filter(({ pool_id }) => pool_id === row.id);
    const lastSwapAt = figures.get(row.id)?.last_swap_at ?? null;
    const lastSeenAt = figures.get(row.id)?.last_seen_at ?? null;
    return {
      ...row.settings,
      id: row.id,
      companyId: row.company_id,
      companyKey: companyKey(ctx.settings.appSecrets, row.company_id),
      name: row.name,
      status: row.status,
      mode: row.mode,
      size: own.length,
      use: usedBy(own),
      sourceIds: row.source_ids,
      defaultNumberId: row.default_number_id,
      templateId: row.template_id,
      scheduleId: row.schedule_id,
      eavAttributeValues: values.get(row.id) ?? [],
      lastSwapAt: lastSwapAt && instant(lastSwapAt),
      lastScriptSeenAt: lastSeenAt && instant(lastSeenAt),
      neverSwapped: lastSwapAt === null,
      stats: statsOf(figures.get(row.id), own),
      numbers: own.map(({ number_id: id, number, state: status }) => ({
        id,
        number,
        label: labels.get(id) ?? '',
        status,
      })),
      createdAt: instant(row.created_at),
      updatedAt: instant(row.updated_at),
    };
  });
}
