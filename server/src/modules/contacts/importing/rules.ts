import { visibleText } from '#contract/contacts/rules';
import { ageRanges, contactTypes, genders, optinTypes } from '#contract/contacts/rules';
import {
  columnsFor,
  fieldPrefix,
  importTargets,
  splitList,
  skipReasons,
  type RowOutcome,
  type SkipReason,
} from '#contract/contacts/importing/rules';
import { normalizePhone } from '#contract/phone';

/** Columns of a contact that a file can fill, in the order their values are held. */
export const textColumns = [
  'name',
  'company_name',
  'title',
  'email',
  'address1',
  'address2',
  'city',
  'state',
  'zip',
  'country',
  'notes',
  'gender',
  'age_range',
  'type',
  'optin_type',
  'optin_source',
] as const;
export const listColumns = ['alternative_names', 'secondary_emails'] as const;
export type TextColumn = (typeof textColumns)[number];
export type ContactValues = Partial<Record<TextColumn, string>> &
  Partial<Record<(typeof listColumns)[number], string[]>>;

/** A row of a file as a contact. Without a number it says why; `notes` are the things left out of it, in sentences. */
export interface ParsedRow {
  row: number;
  number: string | null;
  reason: SkipReason | null;
  rawNumber: string;
  values: ContactValues;
  groups: string[];
  labels: string[];
  custom: Map<string, string>;
  optedOut: boolean;
  notes: string[];
  /** What is wrong with the row as a whole; stands among the notes, too. */ problem?:
    | string
    | undefined;
}
/** What became (or would become) of a row. Short names: a hundred thousand of these are kept. */
export interface RowResult {
  r: number;
  o: RowOutcome;
  w?: SkipReason;
  id?: number;
  n?: readonly string[];
  first?: number;
}

const targetTitle = (key: string) => importTargets.find((t) => t.key === key)?.title ?? key;
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
const plainTargets = {
  companyName: 'company_name',
  title: 'title',
  address1: 'address1',
  address2: 'address2',
  city: 'city',
  state: 'state',
  zip: 'zip',
  country: 'country',
  notes: 'notes',
  optinSource: 'optin_source',
} as const;
/** What the API takes for an e-mail address (zod's own expression), so that an imported contact can be saved again. */
export const emailPattern =
  /^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;
const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9+-]+/g, '_')
    .replace(/^_|_$/g, '');

/** Without the apostrophe with which a spreadsheet is told to keep digits as they are typed. Only where digits are meant: elsewhere it is part of the text. */
export const withoutApostrophe = (cell: string): string => cell.replace(/^['’](?=[\d(+])/, '');
/** A number as people write it in sheets: with an extension, a `tel:`, a `.0` that a sheet put there, or several in one cell. */
export function parseNumber(cell: string): string | null {
  const plain = normalizePhone(withoutApostrophe(cell));
  if (plain) return plain;
  const bare = withoutApostrophe(cell)
    .replace(/^\s*(?:tel|phone|mobile|cell)\s*[:.]\s*/i, '')
    .replace(/\s*(?:,|;)?\s*(?:x|ext\.?|extension)\s*\d{1,6}\s*$/i, '')
    .replace(/^(\+?\d{10,15})\.0+$/, '$1');
  const again = normalizePhone(bare);
  if (again || !/[;,/|\n]/.test(bare)) return again;
  for (const part of bare.split(/[;,/|\n]/)) {
    const one = normalizePhone(part.trim());
    if (one) return one;
  }
  return null;
}
const uniqueIgnoringCase = (all: readonly string[]): string[] => {
  const out = new Map<string, string>();
  for (const one of all) if (!out.has(one.toLowerCase())) out.set(one.toLowerCase(), one);
  return [...out.values()];
};
function parseAgeRange(cell: string): string | null {
  const text = withoutApostrophe(cell)
    .replace(/\s|years?|yrs?/gi, '')
    .replace(/[–—]/g, '-');
  if (ageRanges.includes(text)) return text;
  const age = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return age < 1 ? null : age > 65 ? '65+' : ageRanges[Math.floor((age - 1) / 5)]!;
}
/** A day as American files write it, `12/24/2026`, in the form that fields keep; anything else as it is. */
export const parseUsDate = (cell: string): string =>
  cell
    .trim()
    .replace(
      /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/,
      (_, month: string, day: string, year: string) =>
        `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    );
const parseGender = (cell: string) =>
  genders.find(
    (g) =>
      g.toLowerCase() === cell.toLowerCase() ||
      (cell.length === 1 && g[0]!.toLowerCase() === cell.toLowerCase()),
  ) ?? null;
const parseContactType = (cell: string) =>
  contactTypes.find((t) => t.toLowerCase() === cell.toLowerCase()) ??
  (/^(company|organi[sz]ation)$/i.test(cell) ? 'Business' : null);
const parseOptInType = (cell: string) => optinTypes.find((o) => o === slug(cell)) ?? null;
/** Whoever wrote something here other than a no meant that they must not be texted: an opt-out is never lost. */
const isOptedOutCell = (cell: string) =>
  cell !== '' && !/^(no|n|false|0|-|–|active|subscribed|opted[ _-]?in|never|none|off)$/i.test(cell);

/** How to read each row of one file. Made once a file; reading a row then only looks at its cells. */
export function rowReader(
  headers: readonly string[],
  mapping: readonly (string | null)[],
): (row: number, cells: readonly string[], fault?: string) => ParsedRow {
  const columnIndexes = (key: string) => columnsFor(key, mapping, headers);
  const columns = Object.fromEntries(
    importTargets.map((t) => [t.key, columnIndexes(t.key)]),
  ) as Record<(typeof importTargets)[number]['key'], number[]>;
  const custom = [
    ...new Set(mapping.filter((to): to is string => to !== null && to.startsWith(fieldPrefix))),
  ].map((to) => [to.slice(fieldPrefix.length), columnIndexes(to)] as const);
  const plain = Object.entries(plainTargets).flatMap(([key, column]) =>
    columns[key as keyof typeof plainTargets].length
      ? [{ key, column, from: columns[key as keyof typeof plainTargets], most: limits[column] }]
      : [],
  );
  const first = (cells: readonly string[], from: readonly number[]): string => {
    for (const i of from) {
      const cell = cells[i];
      if (cell) return cell;
    }
    return '';
  };

  return (row, cells, fault) => {
    const notes: string[] = fault ? [fault] : [];
    const values: ContactValues = {};
    const omit = (key: string, why: string) => {
      notes.push(`${targetTitle(key)} was skipped: ${why}.`);
    };
    let raw = '';
    let number: string | null = null;
    for (const i of columns.number) {
      const cell = cells[i];
      if (!cell) continue;
      raw ||= cell;
      if ((number = parseNumber(cell)) !== null) break;
    }
    const name = (
      first(cells, columns.name) ||
      `${first(cells, columns.firstName)} ${first(cells, columns.lastName)}`
    ).trim();
    if (name.length > limits.name) {
      values.name = name.slice(0, limits.name).trim();
      notes.push(`Name was cut to ${limits.name} characters.`);
    } else if (name) values.name = name;
    for (const { key, column, from, most } of plain) {
      const cell = key === 'zip' ? withoutApostrophe(first(cells, from)) : first(cells, from);
      if (cell === '') continue;
      if (cell.length > most) omit(key, `longer than ${most} characters`);
      else values[column] = cell;
    }
    const emails: string[] = [];
    for (const i of columns.email) {
      const cell = cells[i]?.replace(/^mailto:/i, '');
      if (!cell) continue;
      if (cell.length <= limits.email && emailPattern.test(cell)) emails.push(cell);
      else omit('email', `“${cell.slice(0, 60)}” isn’t an email address`);
    }
    if (emails.length) values.email = emails[0]!;
    const readChoice = (
      key: 'gender' | 'ageRange' | 'type' | 'optinType',
      column: TextColumn,
      read: (cell: string) => string | null,
    ) => {
      const cell = columns[key].length ? first(cells, columns[key]) : '';
      if (cell === '') return;
      const chosen = read(cell);
      if (chosen) values[column] = chosen;
      else omit(key, `“${cell.slice(0, 60)}” isn’t one of the choices`);
    };
    readChoice('gender', 'gender', parseGender);
    readChoice('ageRange', 'age_range', parseAgeRange);
    readChoice('type', 'type', parseContactType);
    readChoice('optinType', 'optin_type', parseOptInType);
    const others = columns.alternativeNames
      .flatMap((i) => splitList(cells[i] ?? ''))
      .filter((n) => n.length <= limits.name)
      .slice(0, 20);
    if (others.length) values.alternative_names = others;
    const more = [
      ...emails.slice(1),
      ...columns.secondaryEmails.flatMap((i) => splitList(cells[i] ?? '')),
    ];
    const good = more.filter((e) => e.length <= limits.email && emailPattern.test(e)).slice(0, 20);
    if (good.length < more.length) omit('secondaryEmails', 'it contains an invalid email address');
    if (good.length) values.secondary_emails = good;
    const readList = (from: readonly number[], key: string, most: number) =>
      from.length === 0
        ? []
        : uniqueIgnoringCase(from.flatMap((i) => splitList(cells[i] ?? ''))).filter(
            (one) =>
              one.length <= most ||
              (omit(key, `“${one.slice(0, 20)}…” is longer than ${most} characters`), false),
          );
    return {
      row,
      number,
      rawNumber: raw,
      values,
      notes,
      problem: fault,
      reason: number ? null : raw ? 'invalid_number' : 'no_number',
      groups: readList(columns.groups, 'groups', 80),
      labels: readList(columns.labels, 'labels', 60),
      custom: custom.length
        ? new Map(
            custom
              .map(([key, from]) => [key, first(cells, from)] as const)
              .filter(([, cell]) => cell !== ''),
          )
        : noCustomValues,
      optedOut:
        columns.unsubscribed.length > 0 && isOptedOutCell(first(cells, columns.unsubscribed)),
    };
  };
}
const noCustomValues: Map<string, string> = new Map();

/** A row's problem in words: why it was skipped, or what was left out of it. Null: none. */
export const problemOf = (d: Pick<RowResult, 'w' | 'n' | 'first'>): string | null =>
  d.w === 'duplicate_in_file' && d.first
    ? `This number is already in row ${d.first}.`
    : d.w
      ? [skipReasons[d.w], ...(d.n ?? [])].join(' ')
      : d.n?.length
        ? d.n.join(' ')
        : null;
/** Rows somebody should mend. Those kept as they are on purpose, and duplicates, hold no mistake of their own… a duplicate does: the file says two things of one number. */
export const isMistake = (d: RowResult): boolean =>
  d.o === 'skipped' ? d.w !== 'exists' : (d.n?.length ?? 0) > 0;

const plainText = (text: string) => visibleText(text.replace(/\r\n?/g, '\n'));
/** The same to a reader: line ends and outer blanks aside, which files do not keep. */
export const equalText = (
  a: string | readonly string[] | null,
  b: string | readonly string[] | null,
): boolean =>
  typeof a === 'object' && a !== null
    ? typeof b === 'object' &&
      b !== null &&
      a.length === b.length &&
      a.every((v, i) => equalText(v, b[i]!))
    : plainText((a as string | null) ?? '') === plainText((b as string | null) ?? '');
