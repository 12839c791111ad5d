import type { UpdatableType } from '#contract/archive/field-updates/rules';
import type { EntityTypeId } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import type { FileRow } from '../../contacts/index.ts';
import { fieldsFor, type FieldRow } from '../../fields/index.ts';
import type { ObjectValues, RowProblem } from './apply-rows.ts';
import { findObjects, nameOf } from './store-objects.ts';
import { entityTypeIdOf, kinds } from './kinds.ts';
import { readColumns, readHeaders, valuesIn } from './read-headers.ts';
import type { UpdateRow } from './store.ts';

/** A row of a file: what it sets, why it can't, or nothing. */
export type PlannedRow = { values: ObjectValues } | { problem: RowProblem } | null;

/**
 * What each row of a run sets, in their order.
 * @returns a sentence where the headers no longer name custom fields: one was deleted since the upload
 */
export async function planRows(
  t: TxCtx,
  { headers, id_column: idColumn, organization_update_id }: UpdateRow,
  type: UpdatableType,
  rows: readonly FileRow[],
): Promise<PlannedRow[] | string> {
  const read = readHeaders(headers, type);
  if (typeof read === 'string') return read;
  const typeId = entityTypeIdOf(type);
  const fields = await (organization_update_id ? sharedFields(t, typeId) : fieldsFor(t, typeId));
  const columns = readColumns(headers, read, fields);
  if (typeof columns === 'string') return columns;
  const names = rows.map(({ cells }) => nameOf(idColumn, cells[read.idAt]));
  const asked = [...new Set(names.filter((name) => name !== null))];
  const found = await findObjects(t.tx, [t.companyId], { type, idColumn }, asked);
  const ids = new Map(found.map(({ name, id }) => [name, id]));
  const firstRow = new Map<string, number>();
  return rows.map(({ row, cells, problem }, at) => {
    const name = names[at] ?? null;
    const failed = (message: string) => ({ problem: { row, field: idColumn, message } });
    if (problem) return failed(problem);
    if (name === null) return failed(unreadable[idColumn]);
    const id = ids.get(name);
    if (id === undefined) return failed(notThere(type));
    const first = firstRow.get(name);
    if (first !== undefined) return failed(`Row ${first} is about the same ${kinds[type].noun}.`);
    firstRow.set(name, row);
    const values = valuesIn(cells, columns);
    return values.length ? { values: { row, entityId: id, values } } : null;
  });
}

export const unreadable = {
  number: 'Enter a phone number.',
  pool_id: 'Enter the ID of a tracking pool.',
  entity_id: 'Enter an ID.',
} as const;

/** Why a row of an object that isn't there is left out. */
export const notThere = (type: UpdatableType): string =>
  `There’s no such ${kinds[type].noun} here.`;

/** The fields that all companies of the organization have, with this company's choices. */
export const sharedFields = async (t: TxCtx, typeId: EntityTypeId): Promise<FieldRow[]> =>
  (await fieldsFor(t, typeId)).filter(({ company_id }) => company_id === null);
