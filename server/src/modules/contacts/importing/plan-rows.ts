import { entityOf, readValue, describeValue } from '#contract/fields/rules';
import type { ImportOptions } from '#contract/contacts/importing/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { findField, fieldsFor, valuesOf, type FieldRow } from '../../fields/index.ts';
import { groupIdsByName, labelIdsByName, listGroupsAmong, labelsAmong } from './import-lists.ts';
import type { FileNumbers } from './plan-numbers.ts';
import { rowReader, type ParsedRow } from './parse-row.ts';
import { numberReader } from './reading/row-numbers.ts';
import { parseUsDate, withoutApostrophe } from './parse-cell.ts';
import {
  planParsedRows,
  type RowPlan,
  type ExistingContact,
  type NameIndex,
  type ReadCustomValue,
} from './plan-row.ts';
import { existingContactsByNumber } from './store-contacts.ts';
import { membershipsOf } from './store-memberships.ts';
import { type ImportRow } from './store.ts';
import { numberFactsOf } from './store-number-facts.ts';

/** How one file is read and written; the same for all its rows. */
export interface ImportPlan {
  options: ImportOptions;
  readRow: ReturnType<typeof rowReader>;
  readNumbers: ReturnType<typeof numberReader>;
  fields: readonly FieldRow[];
  /** Groups and labels that every row joins. */
  fixedLists: { groups: readonly number[]; labels: readonly number[] };
}

/** Resolves mapping and options once per run. */
export async function importPlanOf(
  t: TxCtx,
  row: Pick<ImportRow, 'headers'>,
  mapping: readonly (string | null)[],
  options: ImportOptions,
): Promise<ImportPlan> {
  const fields = await fieldsFor(t, entityOf.contact);
  return {
    options,
    readRow: rowReader(row.headers, mapping),
    readNumbers: numberReader(row.headers, mapping),
    fields,
    fixedLists: {
      groups: await listGroupsAmong(t, options.groupIds),
      labels: await labelsAmong(t, options.labelIds),
    },
  };
}

/** The cell in the form that the field's type reads. */
function normalizeCell(type: FieldRow['type'], cell: string): string {
  if (type === 'date') return parseUsDate(withoutApostrophe(cell));
  return type === 'phone' || type === 'number' ? withoutApostrophe(cell) : cell;
}
const customValueReader = (fields: readonly FieldRow[]): ReadCustomValue => {
  const fieldByKey = new Map<string, FieldRow | undefined>();
  return (key, cell) => {
    if (!fieldByKey.has(key)) fieldByKey.set(key, findField(fields, key));
    const field = fieldByKey.get(key);
    if (!field) return { name: key, error: 'This custom field doesn’t exist.' };
    const read = readValue(field, normalizeCell(field.type, cell));
    return 'error' in read
      ? { name: field.name, ...read }
      : { name: field.name, value: read.value, text: describeValue(field, read.value) };
  };
};

/** The names of groups or labels in these rows: lower-case → as first written. */
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
/** The IDs of the groups and labels that these rows name. */
export const loadNameIndex = async (t: TxCtx, rows: readonly ParsedRow[]): Promise<NameIndex> => ({
  groups: await groupIdsByName(t, [...distinctNames(rows, 'groups').keys()]),
  labels: await labelIdsByName(t, [...distinctNames(rows, 'labels').keys()]),
});

/**
 * Loads what the rows are about and plans each. `lock`: lock the contacts until the transaction ends,
 * to write them. `fileNumbers`: those of the file; the rows planned are added.
 */
export async function planRows(
  t: TxCtx,
  plan: ImportPlan,
  rows: readonly ParsedRow[],
  fileNumbers: FileNumbers,
  options: { nameIndex: NameIndex; lock: boolean },
): Promise<RowPlan[]> {
  const numbers = [...new Set(rows.flatMap((row) => row.number ?? []))];
  const allNumbers = [...new Set([...numbers, ...rows.flatMap((row) => row.otherNumbers)])];
  const existingByNumber = await existingContactsByNumber(
    t.tx,
    t.companyId,
    allNumbers,
    options.lock,
  );
  const factsByNumber = await numberFactsOf(t.tx, t.companyId, numbers);
  if (plan.options.existing === 'update')
    await loadMemberships(t, plan, rows, existingByNumber, options.nameIndex);
  return planParsedRows(rows, {
    options: plan.options,
    fixedLists: plan.fixedLists,
    existingByNumber,
    factsByNumber,
    nameIndex: options.nameIndex,
    readCustom: customValueReader(plan.fields),
    fileNumbers,
  });
}

/** Fills in groups, labels and custom values of existing contacts, as far as the rows name them. */
async function loadMemberships(
  t: TxCtx,
  plan: ImportPlan,
  rows: readonly ParsedRow[],
  existingByNumber: ReadonlyMap<string, ExistingContact>,
  nameIndex: NameIndex,
): Promise<void> {
  const byId = new Map([...existingByNumber.values()].map((contact) => [contact.id, contact]));
  if (!byId.size) return;
  const ids = [...byId.keys()];
  const found = await membershipsOf(t.tx, t.companyId, ids, {
    groups: [
      ...plan.fixedLists.groups,
      ...[...nameIndex.groups.values()].filter((id) => id !== null),
    ],
    labels: [...plan.fixedLists.labels, ...nameIndex.labels.values()],
  });
  for (const one of found.groups) byId.get(one.contactId)?.groups.add(one.listId);
  for (const one of found.labels) byId.get(one.contactId)?.labels.add(one.listId);
  if (!rows.some((row) => row.custom.size)) return;
  for (const [id, values] of await valuesOf(t, entityOf.contact, ids))
    for (const value of values)
      if (value.source !== 'default') byId.get(id)?.custom.set(value.key, value.label);
}
