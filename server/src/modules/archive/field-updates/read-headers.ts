import {
  clearWord,
  fieldUpdateLimits,
  idColumns,
  type IdColumn,
  type UpdatableType,
} from '#contract/archive/field-updates/rules';
import { isBlank } from '#contract/fields/rules';
import { findField, type FieldRow, type ValueInput } from '../../fields/index.ts';
import { typeOfColumn } from './kinds.ts';

/** What the headers of a file say. */
export interface Headers {
  idColumn: IdColumn;
  /** The place of the column that names the object. */
  idAt: number;
  type: UpdatableType;
}

/**
 * Reads which column names the object, and of which kind it is.
 * @returns a sentence where the headers don't say so
 */
export function readHeaders(
  headers: readonly string[],
  said: UpdatableType | undefined,
): Headers | string {
  if (headers.length > fieldUpdateLimits.columns)
    return `A file can have up to ${fieldUpdateLimits.columns} columns.`;
  const names = headers.map((header) => header.trim().toLowerCase());
  const found = idColumns.filter((column) => names.includes(column));
  const [idColumn] = found;
  if (!idColumn) return 'The file needs a column number, pool_id or entity_id.';
  if (found.length > 1) return `Keep one of the columns ${found.join(' and ')}.`;
  const type = typeOfColumn(idColumn) ?? said;
  if (!type) return 'Choose what the column entity_id names.';
  if (said && said !== type) return `The column ${idColumn} doesn’t name what you chose.`;
  if (headers.length < 2) return 'The file needs a column for at least one custom field.';
  return { idColumn, idAt: names.indexOf(idColumn), type };
}

/**
 * The field of each column, in order; null at the column that names the object.
 * @returns a sentence naming the columns that are no field, or are there twice
 */
export function readColumns(
  headers: readonly string[],
  { idAt }: Pick<Headers, 'idAt'>,
  fields: readonly FieldRow[],
): (FieldRow | null)[] | string {
  const columns = headers.map((header, at) =>
    at === idAt ? null : (findField(fields, header.trim().toLowerCase()) ?? undefined),
  );
  const unknown = headers.filter((_, at) => columns[at] === undefined);
  if (unknown.length)
    return `No custom field has the key ${unknown.slice(0, 5).map(shortened).join(', ')}.`;
  const twice = columns.find((one, at) => one && columns.indexOf(one) !== at);
  if (twice) return `Two columns are for ${twice.name}.`;
  return columns.map((column) => column ?? null);
}
const shortened = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** What the cells of a row change; empty cells are left out. */
export function valuesIn(
  cells: readonly string[],
  columns: readonly (FieldRow | null)[],
): ValueInput[] {
  return columns.flatMap((field, at) => {
    const cell = cells[at];
    if (!field || isBlank(cell)) return [];
    return [{ attribute_id: field.id, value: cell?.trim() === clearWord ? null : cell }];
  });
}
