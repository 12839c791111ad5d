import { bookColumnOf, headerSlug } from './headers.ts';

export { headerSlug };

/** Rows of one import file (A §5, decisions A11). */

export const maxRows = 100_000;

export const maxBytes = 20 * 1024 * 1024;

export const maxColumns = 200;

/**
 * Targets of a column, in display order. `also`: headers that are recognized as it, compared by
 * `headerSlug`, in order of preference. They include the titles of our own earlier exports ("E-mail",
 * "How they agreed to texts", "Where they agreed", "More e-mails").
 */
export const importTargets = [
  {
    key: 'name',
    title: 'Name',
    also: [
      'name',
      'full name',
      'fullname',
      'contact',
      'contact name',
      'display name',
      'customer',
      'customer name',
    ],
  },
  {
    key: 'firstName',
    title: 'First name',
    also: ['first name', 'firstname', 'first', 'given name'],
  },
  {
    key: 'lastName',
    title: 'Last name',
    also: ['last name', 'lastname', 'last', 'surname', 'family name'],
  },
  {
    key: 'number',
    title: 'Number',
    also: [
      'number',
      'phone',
      'phone number',
      'mobile',
      'cell',
      'telephone',
      'mobile phone',
      'mobile number',
      'cell phone',
      'tel',
      'contact number',
    ],
  },
  {
    key: 'otherNumbers',
    title: 'Other numbers',
    also: ['other numbers', 'more numbers', 'other phone numbers', 'additional numbers', 'fax'],
  },
  {
    key: 'email',
    title: 'Email',
    also: ['email', 'e mail', 'email address', 'e mail address', 'mail'],
  },
  {
    key: 'companyName',
    title: 'Company',
    also: [
      'company',
      'company name',
      'organization',
      'organisation',
      'business',
      'business name',
      'associated company',
      'account',
    ],
  },
  { key: 'title', title: 'Title', also: ['job title', 'title', 'position', 'role', 'occupation'] },
  {
    key: 'address1',
    title: 'Address',
    also: ['address1', 'address 1', 'address', 'address line 1', 'street', 'street address'],
  },
  {
    key: 'address2',
    title: 'Address, second line',
    also: ['address2', 'address 2', 'address line 2'],
  },
  { key: 'city', title: 'City', also: ['city', 'town'] },
  { key: 'state', title: 'State', also: ['state', 'region', 'province'] },
  { key: 'zip', title: 'Zip', also: ['zip', 'zip code', 'zipcode', 'postal code', 'postcode'] },
  { key: 'country', title: 'Country', also: ['country'] },
  { key: 'notes', title: 'Notes', also: ['notes', 'note', 'comments', 'comment'] },
  { key: 'gender', title: 'Gender', also: ['gender', 'sex'] },
  { key: 'ageRange', title: 'Age', also: ['age range', 'agerange', 'age'] },
  { key: 'type', title: 'Type', also: ['type', 'contact type'] },
  {
    key: 'optinType',
    title: 'Opt-in method',
    also: ['optin type', 'opt in type', 'opt in method', 'consent', 'how they agreed to texts'],
  },
  {
    key: 'optinSource',
    title: 'Opt-in source',
    also: ['optin source', 'opt in source', 'consent source', 'where they agreed'],
  },
  {
    key: 'alternativeNames',
    title: 'Other names',
    also: ['alternative names', 'other names', 'aliases', 'nickname'],
  },
  {
    key: 'secondaryEmails',
    title: 'More emails',
    also: [
      'secondary emails',
      'more e mails',
      'more emails',
      'other emails',
      'email 2',
      'secondary email',
    ],
  },
  {
    key: 'groups',
    title: 'Groups',
    also: ['groups', 'group', 'lists', 'list', 'group membership'],
  },
  { key: 'labels', title: 'Labels', also: ['labels', 'label', 'tags', 'tag'] },
  {
    key: 'unsubscribed',
    title: 'Opted out of texts',
    also: ['unsubscribed', 'opted out', 'opted out of texts', 'opt out', 'optout', 'do not text'],
  },
] as const;
export type ImportTarget = (typeof importTargets)[number]['key'];

/** Prefix of a custom field's target: `field:<key>`. */
export const fieldPrefix = 'field:';

/** Separates the values of a cell that holds a list (groups, labels, other names). */
const listSeparator = '|';

/**
 * Why a row was skipped, or one of its values dropped (A11), with the sentence in result file and
 * screen.
 */
export const skipReasons = {
  no_number: 'This row has no phone number.',
  invalid_number: 'This isn’t a phone number that can be called.',
  rounded_number:
    'A spreadsheet has rounded this number. Format its column as text, then export the file again.',
  duplicate_in_file: 'This number is in an earlier row of the file.',
  blocked: 'This number is blocked. Unblock it to import it.',
  exists: 'You already have this contact, and chose to keep it unchanged.',
} as const;

export type SkipReason = keyof typeof skipReasons;

export const rowOutcomes = ['created', 'updated', 'unchanged', 'skipped'] as const;

export type RowOutcome = (typeof rowOutcomes)[number];

/** Columns added to result files; ignored when the file is imported again. */
export const addedColumns = ['Row', 'Outcome', 'Problem'] as const;

/** Header of a custom field whose name is also that of another column. */
const fieldTitle = (key: string): string => `Custom field ${key}`;

/**
 * Header of each custom field in an export: its name where that is unambiguous, otherwise
 * `fieldTitle`.
 */
export function fieldTitles(fields: readonly { key: string; name: string }[]): Map<string, string> {
  const taken = new Set<string>([
    ...importTargets.flatMap((t) => [headerSlug(t.title), ...t.also]),
    ...addedColumns.map(headerSlug),
    ...moreExportColumns.map((c) => headerSlug(c.title)),
  ]);
  const slugs = fields.map((f) => ({ name: headerSlug(f.name), key: headerSlug(f.key) }));
  const isAmbiguous = (name: string, i: number): boolean =>
    taken.has(name) || slugs.some((one, j) => j !== i && (one.name === name || one.key === name));
  return new Map(
    fields.map((f, i) => [f.key, isAmbiguous(headerSlug(f.name), i) ? fieldTitle(f.key) : f.name]),
  );
}

/** Export-only columns. */
export const moreExportColumns = [
  { key: 'source', title: 'Source' },
  { key: 'carrier', title: 'Carrier' },
  { key: 'invalid', title: 'Invalid' },
  { key: 'addedAt', title: 'Added' },
  { key: 'updatedAt', title: 'Changed' },
  { key: 'id', title: 'Contact id' },
] as const;

/** Columns that exports write and imports read; the full name replaces first and last name. */
export const exportTargets = importTargets.filter(
  (t) => t.key !== 'firstName' && t.key !== 'lastName',
);

/** The values of a list as one cell; a separator inside a value is escaped with a backslash. */
export const listCell = (all: readonly string[]): string =>
  all.map((one) => one.replace(/[\\|]/g, '\\$&')).join(` ${listSeparator} `);

/**
 * The entries of a list cell, trimmed and without empty ones. A backslash escapes the separator and
 * itself.
 */
export function splitList(cell: string): string[] {
  const out: string[] = [];
  let one = '';
  for (let i = 0; i < cell.length; i++) {
    const next = cell[i + 1];
    if (cell[i] === '\\' && (next === listSeparator || next === '\\')) {
      one += next;
      i++;
    } else if (cell[i] === listSeparator) {
      out.push(one);
      one = '';
    } else one += cell[i];
  }
  return [...out, one].map((text) => text.trim()).filter((text) => text !== '');
}

/**
 * The suggested target of each column by its header; null: not imported. Custom fields match by key
 * or name.
 */
export function suggestMapping(
  headers: readonly string[],
  fields: readonly { key: string; name: string }[] = [],
): (string | null)[] {
  const ours = new Set(addedColumns.map(headerSlug));
  const byWord = new Map<string, string>([
    ...fields.flatMap(
      (f) =>
        [
          [headerSlug(f.name), fieldPrefix + f.key],
          [headerSlug(f.key), fieldPrefix + f.key],
        ] as const,
    ),
    ...fields.map((f) => [headerSlug(fieldTitle(f.key)), fieldPrefix + f.key] as const),
    ...importTargets.flatMap((target) =>
      [headerSlug(target.title), ...target.also].map(
        (word) => [word, target.key as string] as const,
      ),
    ),
  ]);
  const slugs = headers.map(headerSlug);
  // Where a book has both, "Title" is a form of address.
  if (slugs.includes('job title')) byWord.delete('title');
  return headers.map((header, i) => {
    const word = slugs[i] ?? '';
    if (ours.has(word) || (word === 'title' && !byWord.has(word))) return null;
    return byWord.get(word) ?? bookColumnOf(header)?.target ?? null;
  });
}

/**
 * Indexes of the columns mapped to a target, in order of preference: by `also`, then by position.
 */
export function columnsFor(
  target: string,
  mapping: readonly (string | null)[],
  headers: readonly string[],
): number[] {
  const words: readonly string[] = importTargets.find((t) => t.key === target)?.also ?? [];
  const rank = (column: number) => {
    const header = headers[column] ?? '';
    const at = words.indexOf(headerSlug(header));
    return at === -1 ? words.length + (bookColumnOf(header)?.rank ?? 2) : at;
  };
  return mapping
    .flatMap((to, column) => (to === target ? [column] : []))
    .sort((a, b) => rank(a) - rank(b) || a - b);
}

/** Whether the mapping has the required columns: a number, and a name or a part of one (A §5). */
export const hasNameAndNumber = (mapping: readonly (string | null)[]): boolean =>
  mapping.includes('number') &&
  ['name', 'firstName', 'lastName'].some((target) => mapping.includes(target));

/** States of an import. */

export const importStates = [
  'uploaded',
  'running',
  'finished',
  'failed',
  'undoing',
  'undone',
] as const;
