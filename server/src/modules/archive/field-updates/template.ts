import type { template } from '#contract/archive/field-updates/schemas';
import { fieldUpdateLimits, type UpdatableType } from '#contract/archive/field-updates/rules';
import { describeValue } from '#contract/fields/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../contacts/index.ts';
import { fieldsFor, findField, type FieldRow } from '../../fields/index.ts';
import { ownValues } from './apply-rows.ts';
import { entityTypeIdOf } from './kinds.ts';
import { listObjects } from './store-objects.ts';

type Template = (typeof template)['_output'];

const names: Record<UpdatableType, string> = {
  number: 'numbers.csv',
  'tracking-pool': 'tracking-pools.csv',
  contact: 'contacts.csv',
  call: 'calls.csv',
  user: 'users.csv',
  company: 'companies.csv',
};
const idColumnOf = (type: UpdatableType): string =>
  type === 'number' ? 'number' : type === 'tracking-pool' ? 'pool_id' : 'entity_id';

/**
 * A file to fill in: a column for each custom field, and the company's numbers or pools, or itself,
 * with their own values. Contacts, calls and people can be very many, so of these only the headers.
 */
export async function templateOf(t: TxCtx, type: UpdatableType): Promise<Template> {
  const fields = await fieldsFor(t, entityTypeIdOf(type));
  const keys = keysOf(fields);
  return asTemplate(type, keys, await rowsOf(t, type, keys, fields));
}

/** A template with these columns and rows. */
export const asTemplate = (
  type: UpdatableType,
  keys: readonly string[],
  rows: readonly (readonly string[])[],
): Template => ({
  name: names[type],
  csv:
    BYTE_ORDER_MARK +
    [[idColumnOf(type), ...keys], ...rows.slice(0, fieldUpdateLimits.rows)].map(csvLine).join(''),
});

/** The keys of these fields that fit into a file. */
export const keysOf = (fields: readonly Pick<FieldRow, 'key'>[]): string[] =>
  [...new Set(fields.map(({ key }) => key))].slice(0, fieldUpdateLimits.columns - 1);

/** A row for each of the company's objects, with the values that a file with these keys changes. */
export async function rowsOf(
  t: TxCtx,
  type: UpdatableType,
  keys: readonly string[],
  fields: readonly FieldRow[],
): Promise<string[][]> {
  const objects = await listObjects(t.tx, t.companyId, type, fieldUpdateLimits.rows);
  const values = await ownValues(
    t,
    type,
    objects.map(({ id }) => id),
  );
  const columns = keys.map((key) => findField(fields, key));
  return objects.map(({ id, name }) => [
    name,
    ...columns.map((field) => (field ? describeValue(field, values.get(id)?.get(field.id)) : '')),
  ]);
}
