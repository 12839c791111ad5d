import type { ImportOptions } from '#contract/contacts/importing/schemas';
import {
  listColumns,
  equalText,
  textColumns,
  type RowResult,
  type ParsedRow,
  type ContactValues,
} from './rules.ts';

/** A contact that is in the book, as far as a row can change it. */
export interface ExistingContact {
  id: number;
  number: string;
  values: ContactValues;
  unsubscribed: boolean;
  groups: Set<number>;
  labels: Set<number>;
  custom: Map<string, string>;
}
/** What later modules know of a number. */
export interface NumberFacts {
  optedOutAt: Date | null;
  blocked: boolean;
}
/** Groups and labels by their lower-case names; a name that is missing has none yet, null is one nobody can be put into. */
export interface NameIndex {
  groups: ReadonlyMap<string, number | null>;
  labels: ReadonlyMap<string, number>;
}
/** What the company wants to know of contacts: a cell as its field reads it, or why not. `name`: what people call the field. */
export type ReadCustomValue = (
  key: string,
  cell: string,
) => { name: string } & ({ value: string | number | boolean; words: string } | { error: string });

/** One row's fate: what to write, and what undo needs. */
export interface RowPlan extends RowResult {
  row: ParsedRow;
  contact: ExistingContact | null;
  facts: NumberFacts | null;
  before: ContactValues;
  after: ContactValues;
  joins: number[];
  labels: number[];
  custom: { key: string; value: string | number | boolean; before: string | null; words: string }[];
  optsOut: boolean;
  changes: { field: string; before: string; after: string }[];
}

const displayText = (v: string | readonly string[] | undefined): string =>
  v === undefined ? '' : typeof v === 'string' ? v : v.join(' | ');

/**
 * What becomes of each row, in the order of the file. Pure: the dry run and the import ask the same. `seen` holds the numbers
 * of the rows before; `known` is changed as rows change it, so that two rows about one contact come one after the other.
 */
export function planParsedRows(
  rows: readonly ParsedRow[],
  context: {
    options: ImportOptions;
    fixedLists: { groups: readonly number[]; labels: readonly number[] };
    existingByNumber: ReadonlyMap<string, ExistingContact>;
    factsByNumber: ReadonlyMap<string, NumberFacts>;
    nameIndex: NameIndex;
    readCustom: ReadCustomValue;
    seen: Map<string, number>;
  },
): RowPlan[] {
  const {
    options,
    existingByNumber: known,
    factsByNumber: facts,
    nameIndex: places,
    seen,
  } = context;
  return rows.map((row): RowPlan => {
    const base = {
      row,
      r: row.row,
      contact: null,
      facts: (row.number !== null && facts.get(row.number)) || null,
      before: {},
      after: {},
      joins: [],
      labels: [],
      custom: [],
      optsOut: false,
      changes: [],
    };
    const skip = (
      w: NonNullable<RowResult['w']>,
      more: { first?: number; id?: number } = {},
    ): RowPlan => ({
      ...base,
      o: 'skipped',
      w,
      ...(row.problem ? { n: [row.problem] } : {}),
      ...more,
    });
    if (row.number === null) return skip(row.reason ?? 'no_number');
    const first = seen.get(row.number);
    if (first !== undefined) return skip('duplicate_in_file', { first });
    seen.set(row.number, row.row);
    if (facts.get(row.number)?.blocked) return skip('blocked');
    const contact = known.get(row.number) ?? null;
    if (contact && options.existing === 'skip') return skip('exists', { id: contact.id });

    const notes = [...row.notes];
    const values =
      !contact && options.optinType && !row.values.optin_type
        ? {
            ...row.values,
            optin_type: options.optinType,
            ...(options.optinSource && !row.values.optin_source
              ? { optin_source: options.optinSource }
              : {}),
          }
        : row.values;
    const before: ContactValues = {};
    const after: ContactValues = {};
    const changes: RowPlan['changes'] = [];
    if (contact) {
      for (const column of [...textColumns, ...listColumns]) {
        const value = values[column];
        if (value === undefined || equalText(contact.values[column] ?? '', value)) continue;
        Object.assign(before, { [column]: contact.values[column] });
        Object.assign(after, { [column]: value });
        changes.push({
          field: column,
          before: displayText(contact.values[column]),
          after: displayText(value),
        });
      }
    } else Object.assign(after, values);
    const joins = new Set(context.fixedLists.groups);
    for (const name of row.groups) {
      const group = places.groups.get(name.toLowerCase());
      if (group === null)
        notes.push(`“${name}” is a group with a rule, so contacts can’t be added to it.`);
      else if (group !== undefined) joins.add(group);
    }
    const labels = new Set(context.fixedLists.labels);
    for (const name of row.labels) {
      const label = places.labels.get(name.toLowerCase());
      if (label !== undefined) labels.add(label);
    }
    const custom: RowPlan['custom'] = [];
    for (const [key, cell] of row.custom) {
      const read = context.readCustom(key, cell);
      if ('error' in read) {
        notes.push(`${read.name} was skipped: ${read.error}`);
        continue;
      }
      const previous = contact?.custom.get(key) ?? null;
      if (previous !== null && equalText(previous, read.words)) continue;
      custom.push({ key, value: read.value, before: previous, words: read.words });
      changes.push({ field: read.name, before: previous ?? '', after: read.words });
    }
    const newJoins = [...joins].filter((g) => !contact?.groups.has(g));
    const newLabels = [...labels].filter((l) => !contact?.labels.has(l));
    const newNames =
      row.groups.some((n) => !places.groups.has(n.toLowerCase())) ||
      row.labels.some((n) => !places.labels.has(n.toLowerCase()));
    const optsOut = row.optedOut && !contact?.unsubscribed && !facts.get(row.number)?.optedOutAt;
    const changed =
      Object.keys(after).length > 0 ||
      newJoins.length > 0 ||
      newLabels.length > 0 ||
      custom.length > 0 ||
      optsOut ||
      newNames;
    if (contact) {
      Object.assign(contact.values, after);
      for (const g of newJoins) contact.groups.add(g);
      for (const l of newLabels) contact.labels.add(l);
      for (const c of custom) contact.custom.set(c.key, c.words);
      if (optsOut) contact.unsubscribed = true;
    }
    return {
      ...base,
      o: !contact ? 'created' : changed ? 'updated' : 'unchanged',
      ...(contact ? { id: contact.id } : {}),
      ...(notes.length ? { n: notes } : {}),
      contact,
      before,
      after,
      joins: newJoins,
      labels: newLabels,
      custom,
      optsOut,
      changes,
    };
  });
}
