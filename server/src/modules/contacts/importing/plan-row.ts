import type { ImportOptions } from '#contract/contacts/importing/schemas';
import type { ParsedRow } from './parse-row.ts';
import { planOtherNumbers, type FileNumbers } from './plan-numbers.ts';
import {
  listColumns,
  equalText,
  textColumns,
  type RowResult,
  type ContactValues,
} from './rules.ts';

/** A contact that exists already, with everything a row can change. */
export interface ExistingContact {
  id: number;
  number: string;
  values: ContactValues;
  unsubscribed: boolean;
  groups: Set<number>;
  labels: Set<number>;
  custom: Map<string, string>;
}
/** What later modules know about a number. */
export interface NumberFacts {
  optedOutAt: Date | null;
  blocked: boolean;
}
/**
 * IDs by lower-case name. A name that is missing is new; null: a group with a rule, which can't be
 * joined.
 */
export interface NameIndex {
  groups: ReadonlyMap<string, number | null>;
  labels: ReadonlyMap<string, number>;
}
type CustomValue = string | number | boolean;
/**
 * Reads a cell as its custom field does. `name`: the field's; `text`: the value as people see it.
 */
export type ReadCustomValue = (
  key: string,
  cell: string,
) => { name: string } & ({ value: CustomValue; text: string } | { error: string });

/** What to write for one row, and what an undo needs. */
export interface RowPlan extends RowResult {
  parsed: ParsedRow;
  contact: ExistingContact | null;
  facts: NumberFacts | null;
  /** The columns that change, before and after. A new contact has only `after`. */
  before: ContactValues;
  after: ContactValues;
  groupIds: number[];
  labelIds: number[];
  custom: { key: string; value: CustomValue; before: string | null; text: string }[];
  /** Further numbers that the contact gets. */
  numbers: string[];
  optsOut: boolean;
  changes: { field: string; before: string; after: string }[];
}

interface PlanContext {
  options: ImportOptions;
  /** Groups and labels that every row joins. */
  fixedLists: { groups: readonly number[]; labels: readonly number[] };
  /** Updated as rows change contacts, so that a later row about the same contact sees it. */
  existingByNumber: ReadonlyMap<string, ExistingContact>;
  factsByNumber: ReadonlyMap<string, NumberFacts>;
  nameIndex: NameIndex;
  readCustom: ReadCustomValue;
  /** The numbers of the file; those of rows planned here are added. */
  fileNumbers: FileNumbers;
}

/** Plans rows in the order of the file. Pure: the check and the import get the same result. */
export const planParsedRows = (rows: readonly ParsedRow[], context: PlanContext): RowPlan[] =>
  rows.map((row) => planRow(row, context));

function planRow(parsed: ParsedRow, context: PlanContext): RowPlan {
  const { options, existingByNumber, factsByNumber, fileNumbers } = context;
  const { seen } = fileNumbers;
  const { number } = parsed;
  if (number === null) return skip(parsed, null, { reason: parsed.reason ?? 'no_number' });
  const facts = factsByNumber.get(number) ?? null;
  const duplicateOf = seen.get(number);
  if (duplicateOf !== undefined)
    return skip(parsed, facts, { reason: 'duplicate_in_file', duplicateOf });
  seen.set(number, parsed.row);
  if (facts?.blocked) return skip(parsed, facts, { reason: 'blocked' });
  const contact = existingByNumber.get(number) ?? null;
  if (contact && options.existing === 'skip')
    return skip(parsed, facts, { reason: 'exists', contactId: contact.id });

  const columns = planColumns(contact, valuesOf(parsed, contact, options));
  const lists = planLists(parsed, contact, context);
  const custom = planCustomValues(parsed, contact, context.readCustom);
  const others = planOtherNumbers(parsed, contact, existingByNumber, fileNumbers);
  const plan: RowPlan = {
    row: parsed.row,
    outcome: 'created',
    parsed,
    contact,
    facts,
    before: columns.before,
    after: columns.after,
    groupIds: lists.groupIds,
    labelIds: lists.labelIds,
    custom: custom.values,
    numbers: others.numbers,
    optsOut: parsed.optedOut && !contact?.unsubscribed && !facts?.optedOutAt,
    changes: [...columns.changes, ...others.changes, ...custom.changes],
  };
  const notes = [...parsed.notes, ...others.notes, ...lists.notes, ...custom.notes];
  if (notes.length) plan.notes = notes;
  if (contact) {
    plan.outcome = changesContact(plan) || lists.hasNewNames ? 'updated' : 'unchanged';
    plan.contactId = contact.id;
    applyPlan(contact, plan);
  }
  return plan;
}

const skip = (
  parsed: ParsedRow,
  facts: NumberFacts | null,
  result: Pick<RowResult, 'reason' | 'duplicateOf' | 'contactId'>,
): RowPlan => ({
  row: parsed.row,
  outcome: 'skipped',
  ...result,
  ...(parsed.problem ? { notes: [parsed.problem] } : {}),
  parsed,
  contact: null,
  facts,
  before: {},
  after: {},
  groupIds: [],
  labelIds: [],
  custom: [],
  numbers: [],
  optsOut: false,
  changes: [],
});

/** A new contact gets the import's opt-in method and source, unless the row has a method. */
function valuesOf(
  parsed: ParsedRow,
  contact: ExistingContact | null,
  { optinType, optinSource }: ImportOptions,
): ContactValues {
  if (contact || !optinType || parsed.values.optin_type) return parsed.values;
  const values: ContactValues = { ...parsed.values, optin_type: optinType };
  if (optinSource && !values.optin_source) values.optin_source = optinSource;
  return values;
}

const displayText = (value: string | readonly string[] | undefined): string => {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : value.join(' | ');
};
function planColumns(
  contact: ExistingContact | null,
  values: ContactValues,
): Pick<RowPlan, 'before' | 'after' | 'changes'> {
  if (!contact) return { before: {}, after: { ...values }, changes: [] };
  const before: ContactValues = {};
  const after: ContactValues = {};
  const changes: RowPlan['changes'] = [];
  for (const column of [...textColumns, ...listColumns]) {
    const [previous, value] = [contact.values[column], values[column]];
    if (value === undefined || equalText(previous ?? '', value)) continue;
    Object.assign(before, { [column]: previous });
    Object.assign(after, { [column]: value });
    changes.push({ field: column, before: displayText(previous), after: displayText(value) });
  }
  return { before, after, changes };
}

/** The groups and labels to add. `hasNewNames`: the row names some that don't exist yet. */
function planLists(
  parsed: ParsedRow,
  contact: ExistingContact | null,
  { fixedLists, nameIndex }: PlanContext,
): { groupIds: number[]; labelIds: number[]; notes: string[]; hasNewNames: boolean } {
  const groups = new Set(fixedLists.groups);
  const labels = new Set(fixedLists.labels);
  const notes: string[] = [];
  let hasNewNames = false;
  for (const name of parsed.groups) {
    const group = nameIndex.groups.get(name.toLowerCase());
    if (group === undefined) hasNewNames = true;
    else if (group === null)
      notes.push(`“${name}” is a group with a rule, so contacts can’t be added to it.`);
    else groups.add(group);
  }
  for (const name of parsed.labels) {
    const label = nameIndex.labels.get(name.toLowerCase());
    if (label === undefined) hasNewNames = true;
    else labels.add(label);
  }
  return {
    groupIds: [...groups].filter((id) => !contact?.groups.has(id)),
    labelIds: [...labels].filter((id) => !contact?.labels.has(id)),
    notes,
    hasNewNames,
  };
}

function planCustomValues(
  parsed: ParsedRow,
  contact: ExistingContact | null,
  readCustom: ReadCustomValue,
): { values: RowPlan['custom']; changes: RowPlan['changes']; notes: string[] } {
  const values: RowPlan['custom'] = [];
  const changes: RowPlan['changes'] = [];
  const notes: string[] = [];
  for (const [key, cell] of parsed.custom) {
    const read = readCustom(key, cell);
    if ('error' in read) {
      notes.push(`${read.name} was skipped: ${read.error}`);
      continue;
    }
    const before = contact?.custom.get(key) ?? null;
    if (before !== null && equalText(before, read.text)) continue;
    values.push({ key, value: read.value, before, text: read.text });
    changes.push({ field: read.name, before: before ?? '', after: read.text });
  }
  return { values, changes, notes };
}

const changesContact = (plan: RowPlan): boolean =>
  Object.keys(plan.after).length > 0 ||
  plan.groupIds.length > 0 ||
  plan.labelIds.length > 0 ||
  plan.custom.length > 0 ||
  plan.numbers.length > 0 ||
  plan.optsOut;

function applyPlan(contact: ExistingContact, plan: RowPlan): void {
  Object.assign(contact.values, plan.after);
  for (const id of plan.groupIds) contact.groups.add(id);
  for (const id of plan.labelIds) contact.labels.add(id);
  for (const { key, text } of plan.custom) contact.custom.set(key, text);
  if (plan.optsOut) contact.unsubscribed = true;
}
