import { isDeepStrictEqual } from 'node:util';
import { poolSettings, type PoolSettings } from '#contract/tracking/pool-schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { scheduleExists } from '../../companies/index.ts';
import { numberRecord, requireTemplate } from '../../numbers/index.ts';
import { knownSystemSources } from '../classification/system-sources.ts';
import { sourceRows } from '../sources/store.ts';
import type { PoolColumns, PoolRecord } from './store.ts';

/** A pool as requests give it; what is left out stays. */
type PoolPatch = { [k in keyof PoolSettings]?: PoolSettings[k] | undefined } & {
  name?: string | undefined;
  mode?: PoolRecord['mode'] | undefined;
  status?: PoolRecord['status'] | undefined;
  sourceIds?: readonly number[] | undefined;
  defaultNumberId?: number | null | undefined;
  templateId?: number | null | undefined;
  scheduleId?: number | null | undefined;
};

const settingKeys = Object.keys(poolSettings.shape) as (keyof PoolSettings)[];

/** The settings of a request over those there were. */
export function settingsOf(patch: PoolPatch, before: Partial<PoolSettings> = {}): PoolSettings {
  const given = settingKeys.filter((key) => patch[key] !== undefined);
  return poolSettings.parse({
    ...before,
    ...Object.fromEntries(given.map((key) => [key, patch[key]])),
  });
}

/**
 * The columns of a request. Fails with 404 for numbers, 422 for sources, templates and schedules that
 * the company doesn't have.
 */
export async function poolColumns(
  ctx: TxCtx,
  patch: PoolPatch,
  before?: PoolRecord,
): Promise<PoolColumns & { settings: PoolSettings }> {
  if (patch.defaultNumberId) await requireDefaultNumber(ctx, patch.defaultNumberId);
  if (patch.templateId) await requireTemplate(ctx, patch.templateId);
  if (patch.scheduleId && !(await scheduleExists(ctx.tx, ctx.companyId, patch.scheduleId)))
    invalid({ scheduleId: 'This schedule doesn’t exist.' });
  if (patch.sourceIds?.length) await requireSources(ctx, patch.sourceIds);
  const settings = settingsOf(patch, before?.settings);
  return {
    settings,
    ...growthColumns(ctx, settings, before?.settings),
    ...(patch.name !== undefined && { name: patch.name }),
    ...(patch.mode && { mode: patch.mode }),
    ...(patch.status && { status: patch.status }),
    ...(patch.sourceIds && { source_ids: [...new Set(patch.sourceIds)] }),
    ...(patch.defaultNumberId !== undefined && { default_number_id: patch.defaultNumberId }),
    ...(patch.templateId !== undefined && { template_id: patch.templateId }),
    ...(patch.scheduleId !== undefined && { schedule_id: patch.scheduleId }),
  };
}

const noGrowth = poolSettings.parse({}).autoScale;

/**
 * In whose name the pool buys numbers from now on; nothing where that stays as it was. Fails with
 * `role.forbidden` for people who may not buy numbers themselves.
 */
function growthColumns(
  ctx: TxCtx,
  { autoScale }: PoolSettings,
  before: PoolSettings | undefined,
): PoolColumns {
  if (isDeepStrictEqual(autoScale, before?.autoScale ?? noGrowth)) return {};
  if (autoScale.enabled && ctx.may('numbers.buy') === 'none') fail('role.forbidden');
  return {
    auto_scale_by: autoScale.enabled ? ctx.actor.userId || null : null,
    ...{ growth_batch: null, growth_problem: null, growth_problem_at: null },
  };
}

async function requireDefaultNumber(ctx: TxCtx, id: number): Promise<void> {
  const number = await numberRecord(ctx.tx, ctx.companyId, id);
  if (number?.status !== 'active') invalid({ defaultNumberId: 'This number doesn’t exist.' });
  if (number.dni_pool_id !== null)
    invalid({ defaultNumberId: 'Choose a number that isn’t in a pool.' });
}

async function requireSources(ctx: TxCtx, ids: readonly number[]): Promise<void> {
  const own = await sourceRows(ctx.tx, ctx.companyId);
  const known = new Set([...knownSystemSources, ...own].map(({ id }) => id));
  if (ids.some((id) => !known.has(id))) invalid({ sourceIds: 'This source doesn’t exist.' });
}
