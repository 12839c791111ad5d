import { presets as contract, type Answer, type Body, type Query } from '#contract';
import { entityOf, type EntityTypeId } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { invalid, notFound, fail } from '../../../platform/errors.ts';
import { firstOf } from '../../../platform/must-be.ts';
import { fieldsFor } from '../definitions/fields-for.ts';
import {
  removeOtherDefaults,
  isNameTaken,
  insertPreset,
  namesOf,
  patchPreset,
  presetRows,
  removePreset,
  setDefault,
} from './store.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

type Rows = Awaited<ReturnType<typeof presetRows>>;
async function present(ctx: TxCtx, rows: Rows): Promise<contract.ColumnPreset[]> {
  const names = await namesOf(
    ctx.db.unscoped,
    rows.map((r) => r.user_id),
  );
  return rows.map((r) => ({
    id: r.id,
    name: r.name,
    entity: r.entity,
    columns: [...r.columns].sort((a, b) => a.order - b.order),
    sort: r.sort,
    filters: r.filters,
    shared: r.shared,
    is_default: r.is_default,
    user_id: r.user_id,
    user: { id: r.user_id, name: names.get(r.user_id) ?? '' },
    mine: r.user_id === ctx.actor.userId,
    created_at: new Date(r.created_at).toISOString(),
    updated_at: new Date(r.updated_at).toISOString(),
  }));
}
const findPreset = async (ctx: TxCtx, id: number): Promise<Rows[number]> =>
  (await presetRows(ctx.tx, ctx.companyId, ctx.actor.userId, { id }))[0] ?? notFound();
const presentOne = async (ctx: TxCtx, id: number) => ({
  data: firstOf(await present(ctx, [await findPreset(ctx, id)])),
});

/** The user's own and the shared column presets of a list. */
export const listColumnPresets = async (
  ctx: TxCtx,
  query: Query<typeof contract.listColumnPresets>,
): Promise<Answer<typeof contract.listColumnPresets>> => ({
  data: await present(ctx, await presetRows(ctx.tx, ctx.companyId, ctx.actor.userId, query)),
});
/** One column preset; `not_found` when it is another user's and not shared. */
export const getColumnPreset = (
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.getColumnPreset>> => presentOne(ctx, id);

/** Creates a column preset. Fails with `preset.exists` when the user has one of this name. */
export async function createColumnPreset(
  ctx: TxCtx,
  body: Body<typeof contract.createColumnPreset>,
): Promise<Answer<typeof contract.createColumnPreset>> {
  const { entity, is_default, companyId: _, company_id: __, ...input } = body;
  await requireKnownColumns(ctx, entity, input.columns);
  const id =
    (await insertPreset(
      ctx.tx,
      ctx.companyId,
      ctx.actor.userId,
      entity,
      { ...input, columns: normalizeColumns(input.columns) },
      ctx.now,
    )) ?? fail('preset.exists');
  if (is_default) await setDefault(ctx.tx, ctx.companyId, ctx.actor.userId, entity, id, true);
  await ctx.publish(contract.columnPresetsChanged, { companyId: ctx.companyId, presetId: id });
  return presentOne(ctx, id);
}

/**
 * Changes an own preset. Of a colleague's, only `is_default`, which is the user's own choice.
 * `preset.exists` when the name is taken.
 */
export async function updateColumnPreset(
  ctx: TxCtx,
  id: number,
  body: Body<typeof contract.updateColumnPreset>,
): Promise<Answer<typeof contract.updateColumnPreset>> {
  const before = await findPreset(ctx, id);
  const { is_default, companyId: _, company_id: __, ...changes } = body;
  if (Object.values(changes).some((v) => v !== undefined)) {
    await requireOwner(ctx, before);
    if (changes.columns)
      await requireKnownColumns(ctx, before.entity, changes.columns, before.columns);
    if (
      changes.name !== undefined &&
      (await isNameTaken(ctx.tx, ctx.companyId, before, changes.name))
    )
      fail('preset.exists');
    await patchPreset(
      ctx.tx,
      ctx.companyId,
      id,
      { ...changes, columns: changes.columns && normalizeColumns(changes.columns) },
      ctx.now,
    );
    if (changes.shared === false)
      await removeOtherDefaults(ctx.tx, ctx.companyId, id, before.user_id);
  }
  if (is_default !== undefined)
    await setDefault(ctx.tx, ctx.companyId, ctx.actor.userId, before.entity, id, is_default);
  await ctx.publish(contract.columnPresetsChanged, { companyId: ctx.companyId, presetId: id });
  return presentOne(ctx, id);
}

/** Deletes a column preset. `preset.not_yours` for another's, unless the role may edit settings. */
export async function deleteColumnPreset(ctx: TxCtx, id: number): Promise<void> {
  await requireOwner(ctx, await findPreset(ctx, id));
  await removePreset(ctx.tx, ctx.companyId, id);
  await ctx.publish(contract.columnPresetsChanged, { companyId: ctx.companyId, presetId: id });
}
/**
 * Fails with `preset.not_yours`, except for users who can edit settings: they can clean up shared
 * presets.
 */
async function requireOwner(ctx: TxCtx, row: { user_id: number }): Promise<void> {
  if (row.user_id === ctx.actor.userId || ctx.may('settings.edit') !== 'none') return;
  fail('preset.not_yours', {
    name: (await namesOf(ctx.db.unscoped, [row.user_id])).get(row.user_id) ?? '',
  });
}
const fieldEntityOf: Partial<Record<contract.PresetEntity, EntityTypeId>> = {
  calls: entityOf.call,
  numbers: entityOf.number,
  contacts: entityOf.contact,
  users: entityOf.user,
};
/**
 * Fails with 422 for unknown columns. Those in the preset already can stay: their custom field may
 * be deleted.
 */
async function requireKnownColumns(
  ctx: TxCtx,
  entity: contract.PresetEntity,
  columns: readonly contract.PresetColumn[],
  kept: readonly contract.PresetColumn[] = [],
): Promise<void> {
  const known = new Set([...contract.presetColumnKeys[entity], ...kept.map((one) => one.key)]);
  const type = fieldEntityOf[entity];
  if (type && columns.some((one) => one.key.startsWith('eav:')))
    for (const field of await fieldsFor(ctx, type)) known.add(`eav:${field.key}`);
  const unknown = columns.flatMap((one, i) =>
    known.has(one.key) ? [] : [[`columns.${i}.key`, `This list has no column named ${one.key}.`]],
  );
  if (unknown.length) invalid(Object.fromEntries(unknown) as Record<string, string>);
}
/** Columns in order, each key once. Fails with 422 when all are hidden. */
function normalizeColumns(columns: readonly contract.PresetColumn[]): contract.PresetColumn[] {
  const once = [
    ...new Map([...columns].sort((a, b) => a.order - b.order).map((c) => [c.key, c])).values(),
  ].map((c, order) => ({ ...c, order }));
  return once.every((c) => c.hidden) ? invalid({ columns: 'Keep at least one column.' }) : once;
}
