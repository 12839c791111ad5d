import { emailPattern } from '#contract/email-address';
import {
  columnsFor,
  fieldPrefix,
  importTargets,
  splitList,
  type ImportTarget,
} from '#contract/contacts/importing/rules';
import type { SkipReason } from '#contract/contacts/importing/rules';
import { addressColumns, readRowAddress, type AddressTarget } from './reading/row-address.ts';
import { readRowNumbers } from './reading/row-numbers.ts';
import type { ContactValues, TextColumn } from './rules.ts';
import {
  choiceTargets,
  emailsIn,
  isOptedOutCell,
  uniqueIgnoringCase,
  withoutApostrophe,
} from './parse-cell.ts';

/** A row of a file as a contact. */
export interface ParsedRow {
  row: number;
  /** E.164; null: there is none, and `reason` says why. */
  number: string | null;
  reason: SkipReason | null;
  /** The number as it is in the file. */
  rawNumber: string;
  /** Further numbers of the row, E.164. */
  otherNumbers: string[];
  values: ContactValues;
  groups: string[];
  labels: string[];
  /** Cells of custom fields, by the field's key. */
  custom: Map<string, string>;
  optedOut: boolean;
  /** What was left out of the row, in sentences. */
  notes: string[];
  /** What is wrong with the row as a whole; also among `notes`. */
  problem?: string | undefined;
}

const limits = {
  name: 120,
  company_name: 120,
  title: 120,
  email: 254,
  address1: 200,
  address2: 200,
  city: 120,
  state: 60,
  zip: 20,
  country: 60,
  notes: 5000,
  optin_source: 300,
} as const;
const maxGroupName = 80;
const maxLabel = 60;
const maxListed = 20;
/** Targets whose cell goes into a column as it is. */
const plainTargets = {
  companyName: 'company_name',
  title: 'title',
  notes: 'notes',
  optinSource: 'optin_source',
} as const satisfies Partial<Record<ImportTarget, TextColumn>>;
type PlainColumn = keyof typeof limits;
const isEmail = (text: string) => text.length <= limits.email && emailPattern.test(text);

/** Columns of the file by what they hold, in the order they are tried. */
interface RowColumns {
  targets: Record<ImportTarget, number[]>;
  custom: (readonly [key: string, columns: number[]])[];
  addresses: ReturnType<typeof addressColumns>;
}
/** One row being read. */
interface RowInput {
  cells: readonly string[];
  columns: RowColumns;
  values: ContactValues;
  notes: string[];
}

/** Creates the function that reads each row of one file. Columns are resolved once per file. */
export function rowReader(
  headers: readonly string[],
  mapping: readonly (string | null)[],
): (row: number, cells: readonly string[], problem?: string) => ParsedRow {
  const fields = mapping.filter((to): to is string => to !== null && to.startsWith(fieldPrefix));
  const targets = Object.fromEntries(
    importTargets.map(({ key }) => [key, columnsFor(key, mapping, headers)]),
  ) as RowColumns['targets'];
  const columns: RowColumns = {
    targets,
    addresses: addressColumns(headers, targets),
    custom: [...new Set(fields)].map((to) => [
      to.slice(fieldPrefix.length),
      columnsFor(to, mapping, headers),
    ]),
  };
  return (row, cells, problem) => parseRow(row, cells, problem, columns);
}

function parseRow(
  row: number,
  cells: readonly string[],
  problem: string | undefined,
  columns: RowColumns,
): ParsedRow {
  const input: RowInput = { cells, columns, values: {}, notes: problem ? [problem] : [] };
  const { number, rawNumber, otherNumbers, isRounded } = readRowNumbers(
    cells,
    columns.targets,
    input.notes,
  );
  readName(input);
  readPlainColumns(input);
  readAddress(input);
  const furtherEmails = readEmails(input);
  readChoices(input);
  readOtherNames(input);
  readSecondaryEmails(input, furtherEmails);
  return {
    row,
    number,
    rawNumber,
    otherNumbers,
    values: input.values,
    notes: input.notes,
    problem,
    reason: number ? null : skipReasonOf(rawNumber, isRounded),
    groups: readList(input, 'groups', maxGroupName),
    labels: readList(input, 'labels', maxLabel),
    custom: readCustomCells(input),
    optedOut: isOptedOutCell(firstCell(cells, columns.targets.unsubscribed)),
  };
}

const skipReasonOf = (rawNumber: string, isRounded: boolean): SkipReason => {
  if (!rawNumber) return 'no_number';
  return isRounded ? 'rounded_number' : 'invalid_number';
};
const firstCell = (cells: readonly string[], columns: readonly number[]): string => {
  for (const column of columns) {
    const cell = cells[column];
    if (cell) return cell;
  }
  return '';
};
const targetTitle = (key: ImportTarget) =>
  importTargets.find((target) => target.key === key)?.title ?? key;
const noteSkipped = ({ notes }: RowInput, key: ImportTarget, why: string) => {
  notes.push(`${targetTitle(key)} was skipped: ${why}.`);
};

function readName({ cells, columns: { targets }, values, notes }: RowInput): void {
  const halves = () =>
    `${firstCell(cells, targets.firstName)} ${firstCell(cells, targets.lastName)}`;
  const name = (firstCell(cells, targets.name) || halves()).trim();
  if (name.length > limits.name) {
    values.name = name.slice(0, limits.name).trim();
    notes.push(`Name was cut to ${limits.name} characters.`);
  } else if (name) values.name = name;
}

const plainEntries = Object.entries(plainTargets) as [
  keyof typeof plainTargets,
  (typeof plainTargets)[keyof typeof plainTargets],
][];
function readPlainColumns(input: RowInput): void {
  for (const [key, column] of plainEntries)
    setText(input, key, column, firstCell(input.cells, input.columns.targets[key]));
}
function setText(input: RowInput, key: ImportTarget, column: PlainColumn, cell: string): void {
  if (cell === '') return;
  if (cell.length > limits[column])
    noteSkipped(input, key, `longer than ${limits[column]} characters`);
  else input.values[column] = cell;
}
/** The first address; a contact has one, so the row's others are named. */
function readAddress(input: RowInput): void {
  const { address, further } = readRowAddress(input.cells, input.columns.addresses);
  for (const [target, cell] of Object.entries(address) as [AddressTarget, string][])
    setText(input, target, target, target === 'zip' ? withoutApostrophe(cell) : cell);
  for (const line of further)
    input.notes.push(`Another address was left out: “${line.slice(0, 120)}”.`);
}

/** Reads the first valid address as the email; returns the others of the same columns. */
function readEmails(input: RowInput): string[] {
  const emails: string[] = [];
  for (const column of input.columns.targets.email) {
    for (const email of emailsIn(input.cells[column] ?? '')) {
      if (isEmail(email)) emails.push(email);
      else noteSkipped(input, 'email', `“${email.slice(0, 60)}” isn’t an email address`);
    }
  }
  const [first, ...further] = uniqueIgnoringCase(emails);
  if (first !== undefined) input.values.email = first;
  return further;
}

function readChoices(input: RowInput): void {
  for (const [key, column, parse] of choiceTargets) {
    const cell = firstCell(input.cells, input.columns.targets[key]);
    if (cell === '' || /^(unspecified|unknown|not specified)$/i.test(cell)) continue;
    const choice = parse(cell);
    if (choice) input.values[column] = choice;
    else noteSkipped(input, key, `“${cell.slice(0, 60)}” isn’t one of the choices`);
  }
}

const listedIn = ({ cells, columns }: RowInput, key: ImportTarget): string[] =>
  columns.targets[key].flatMap((column) => splitList(cells[column] ?? '').flatMap(splitBookList));
/** Google's lists ("Friends ::: * myContacts") without the groups that it makes itself. */
const splitBookList = (entry: string): string[] =>
  entry.split(' ::: ').filter((one) => !one.startsWith('* '));
function readOtherNames(input: RowInput): void {
  const names = listedIn(input, 'alternativeNames')
    .filter((name) => name.length <= limits.name)
    .slice(0, maxListed);
  if (names.length) input.values.alternative_names = names;
}
function readSecondaryEmails(input: RowInput, furtherEmails: readonly string[]): void {
  const emails = [...furtherEmails, ...listedIn(input, 'secondaryEmails')];
  const accepted = emails.filter(isEmail).slice(0, maxListed);
  if (accepted.length < emails.length)
    noteSkipped(input, 'secondaryEmails', 'it contains an invalid email address');
  if (accepted.length) input.values.secondary_emails = accepted;
}

function readList(input: RowInput, key: 'groups' | 'labels', maxLength: number): string[] {
  if (!input.columns.targets[key].length) return [];
  return uniqueIgnoringCase(listedIn(input, key)).filter((name) => {
    if (name.length <= maxLength) return true;
    noteSkipped(input, key, `“${name.slice(0, 20)}…” is longer than ${maxLength} characters`);
    return false;
  });
}

const noCustomCells: Map<string, string> = new Map();
function readCustomCells({ cells, columns }: RowInput): Map<string, string> {
  if (!columns.custom.length) return noCustomCells;
  return new Map(
    columns.custom
      .map(([key, from]) => [key, firstCell(cells, from)] as const)
      .filter(([, cell]) => cell !== ''),
  );
}
