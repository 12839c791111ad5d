import type { FieldValueType } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { ApiError } from '../../../platform/errors.ts';
import { valuesOf, type ValueInput } from '../../fields/index.ts';
import { entityTypeIdOf, kinds } from './kinds.ts';
import type { UpdatableType } from '#contract/archive/field-updates/rules';
import { inSavepoint, type FieldChange } from './store.ts';

/** The values of one object that a row sets. */
export interface ObjectValues {
  row: number;
  entityId: number;
  values: ValueInput[];
}
export interface RowProblem {
  row: number;
  field: string;
  message: string;
}
interface AppliedRows {
  applied: { row: number; entityId: number; changes: FieldChange[] }[];
  problems: RowProblem[];
}

/**
 * Sets the values of these objects, each as its own screen does. An object that refuses is left as it
 * is and reported; the others are changed. Each object once.
 */
export async function applyRows(
  t: TxCtx,
  type: UpdatableType,
  objects: readonly ObjectValues[],
): Promise<AppliedRows> {
  const ids = objects.map(({ entityId }) => entityId);
  const before = await ownValues(t, type, ids);
  const problems: RowProblem[] = [];
  for (const { row, entityId, values } of objects) {
    const problem = await setOrProblem(t, type, entityId, values);
    if (problem) problems.push({ row, ...problem });
  }
  const after = await ownValues(t, type, ids);
  const applied = objects.flatMap(({ row, entityId }) => {
    const changes = differences(before.get(entityId), after.get(entityId));
    return changes.length ? [{ row, entityId, changes }] : [];
  });
  return { applied, problems };
}

/** Sets one object's values. Null: done; otherwise why not, and nothing of it is stored. */
async function setOrProblem(
  t: TxCtx,
  type: UpdatableType,
  entityId: number,
  values: ValueInput[],
): Promise<Omit<RowProblem, 'row'> | null> {
  try {
    await inSavepoint(t.tx, () =>
      kinds[type].set(
        t,
        entityId,
        values.map(({ attribute_id, value }) => ({ attribute_id, value })),
      ),
    );
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return problemOf(error, type);
  }
}

function problemOf(error: ApiError, type: UpdatableType): Omit<RowProblem, 'row'> {
  if (error.code === 'not_found')
    return { field: '', message: `This ${kinds[type].noun} doesn’t exist anymore.` };
  const [at, why] = Object.entries(error.errors ?? {})[0] ?? ['', []];
  return { field: at.split('.').at(-1) ?? '', message: why[0] ?? error.message };
}

type OwnValues = ReadonlyMap<number, FieldValueType>;

/** The objects' own values by object and field, without defaults. */
export async function ownValues(
  t: TxCtx,
  type: UpdatableType,
  ids: readonly number[],
): Promise<Map<number, OwnValues>> {
  const shown = await valuesOf(t, entityTypeIdOf(type), ids);
  return new Map(
    [...shown].map(([id, values]) => [
      id,
      new Map(
        values
          .filter(({ source }) => source !== 'default')
          .map((value) => [value.attribute_id, value.value]),
      ),
    ]),
  );
}

function differences(before: OwnValues = new Map(), after: OwnValues = new Map()): FieldChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => ({ id, from: before.get(id) ?? null, to: after.get(id) ?? null }))
    .filter(({ from, to }) => from !== to);
}
