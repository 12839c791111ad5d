import { entityOf, readValue, describeValue } from '#contract/fields/rules';
import type { ImportOptions } from '#contract/contacts/importing/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { findField, fieldsFor, valuesOf, type FieldRow } from '../../fields/index.ts';
import {
  planParsedRows,
  type RowPlan,
  type ExistingContact,
  type NameIndex,
  type ReadCustomValue,
} from './plan-row.ts';
import { parseUsDate, rowReader, withoutApostrophe, type ParsedRow } from './rules.ts';
import { numberFactsOf, type ImportRow } from './store.ts';
import {
  groupIdsByName,
  existingContactsByNumber,
  labelIdsByName,
  membershipsOf,
  listGroupsAmong,
  labelsAmong,
} from './store-contacts.ts';

/** How one file is read: made once a run. */
export interface ImportPlan {
  options: ImportOptions;
  readRow: ReturnType<typeof rowReader>;
  fields: readonly FieldRow[];
  fixedLists: { groups: readonly number[]; labels: readonly number[] };
}

export async function importPlanOf(
  t: TxCtx,
  row: Pick<ImportRow, 'headers'>,
  mapping: readonly (string | null)[],
  options: ImportOptions,
): Promise<ImportPlan> {
  const fields = await fieldsFor(t, entityOf.contact);
  return {
    options,
    readRow: rowReader(row.headers as string[], mapping),
    fields,
    fixedLists: {
      groups: await listGroupsAmong(t.tx, t.companyId, options.groupIds),
      labels: await labelsAmong(t.tx, t.companyId, options.labelIds),
    },
  };
}
/** A cell as the field's type takes it. */
const normalizeCell = (type: FieldRow['type'], cell: string): string =>
  type === 'date'
    ? parseUsDate(withoutApostrophe(cell))
    : type === 'phone' || type === 'number'
      ? withoutApostrophe(cell)
      : cell;
export const customValueReader = (fields: readonly FieldRow[]): ReadCustomValue => {
  const fieldByKey = new Map<string, FieldRow | undefined>();
  return (key, cell) => {
    if (!fieldByKey.has(key)) fieldByKey.set(key, findField(fields, key));
    const field = fieldByKey.get(key);
    if (!field) return { name: key, error: 'This custom field doesn’t exist.' };
    const read = readValue(field, normalizeCell(field.type, cell));
    return 'error' in read
      ? { name: field.name, ...read }
      : { name: field.name, value: read.value, words: describeValue(field, read.value) };
  };
};
/** Each name once, as it is written first. */
export const distinctNames = (
  rows: readonly ParsedRow[],
  list: 'groups' | 'labels',
): Map<string, string> => {
  const names = new Map<string, string>();
  for (const row of rows)
    for (const name of row[list])
      if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return names;
};
export const loadNameIndex = async (t: TxCtx, rows: readonly ParsedRow[]): Promise<NameIndex> => ({
  groups: await groupIdsByName(t.tx, t.companyId, [...distinctNames(rows, 'groups').keys()]),
  labels: await labelIdsByName(t.tx, t.companyId, [...distinctNames(rows, 'labels').keys()]),
});

/** Look up what the rows are about and decide about each. `hold`: the contacts are about to be changed. */
export async function planRows(
  t: TxCtx,
  plan: ImportPlan,
  rows: readonly ParsedRow[],
  seen: Map<string, number>,
  options: { places: NameIndex; lock: boolean },
): Promise<RowPlan[]> {
  const numbers = [...new Set(rows.flatMap((r) => r.number ?? []))];
  const known = await existingContactsByNumber(t.tx, t.companyId, numbers, options.lock);
  const facts = await numberFactsOf(t.tx, t.companyId, numbers);
  if (plan.options.existing === 'update')
    await loadMemberships(t, plan, rows, known, options.places);
  return planParsedRows(rows, {
    options: plan.options,
    fixedLists: plan.fixedLists,
    existingByNumber: known,
    factsByNumber: facts,
    nameIndex: options.places,
    readCustom: customValueReader(plan.fields),
    seen,
  });
}

/** Groups, labels and custom values of those who are in the book, as far as the file speaks of them. */
async function loadMemberships(
  t: TxCtx,
  plan: ImportPlan,
  rows: readonly ParsedRow[],
  existingByNumber: ReadonlyMap<string, ExistingContact>,
  nameIndex: NameIndex,
): Promise<void> {
  const byId = new Map([...existingByNumber.values()].map((k) => [k.id, k]));
  if (!byId.size) return;
  const ids = [...byId.keys()];
  const groups = [
    ...plan.fixedLists.groups,
    ...[...nameIndex.groups.values()].filter((g) => g !== null),
  ];
  const found = await membershipsOf(t.tx, t.companyId, ids, groups, [
    ...plan.fixedLists.labels,
    ...nameIndex.labels.values(),
  ]);
  for (const m of found.groups) byId.get(m.contact_id)?.groups.add(m.place);
  for (const m of found.labels) byId.get(m.contact_id)?.labels.add(m.place);
  if (rows.some((r) => r.custom.size))
    for (const [id, values] of await valuesOf(t, entityOf.contact, ids))
      for (const v of values) if (v.source !== 'default') byId.get(id)?.custom.set(v.key, v.label);
}
