import { tidyEmail } from '#contract/email-address';
import { ageRanges, contactTypes, genders, optinTypes } from '#contract/contacts/rules';
import type { ImportTarget } from '#contract/contacts/importing/rules';
import type { TextColumn } from './rules.ts';

/**
 * Without the apostrophe that makes a spreadsheet keep digits as typed. Only for cells that mean
 * digits: elsewhere an apostrophe is part of the text.
 */
export const withoutApostrophe = (cell: string): string => cell.replace(/^['’](?=[\d(+])/, '');

/** A US date (`12/24/2026`) as fields store it (`2026-12-24`); anything else unchanged. */
export const parseUsDate = (cell: string): string =>
  cell
    .trim()
    .replace(
      /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/,
      (_, month: string, day: string, year: string) =>
        `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    );

function parseAgeRange(cell: string): string | null {
  const text = withoutApostrophe(cell)
    .replace(/\s|years?|yrs?/gi, '')
    .replace(/[–—]/g, '-');
  if (ageRanges.includes(text)) return text;
  const age = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (age < 1) return null;
  return age > 65 ? '65+' : (ageRanges[Math.floor((age - 1) / 5)] ?? null);
}
const parseGender = (cell: string) => {
  const typed = cell.toLowerCase();
  return (
    genders.find((gender) => {
      const name = gender.toLowerCase();
      return name === typed || (typed.length === 1 && name.startsWith(typed));
    }) ?? null
  );
};
const parseContactType = (cell: string) =>
  contactTypes.find((type) => type.toLowerCase() === cell.toLowerCase()) ??
  (/^(company|organi[sz]ation)$/i.test(cell) ? 'Business' : null);
const optInSlug = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9+-]+/g, '_')
    .replace(/^_|_$/g, '');
const parseOptInType = (cell: string) =>
  optinTypes.find((type) => type === optInSlug(cell)) ?? null;

/** Anything but a "no" counts as an opt-out, so that none is lost. */
export const isOptedOutCell = (cell: string) =>
  cell !== '' && !/^(no|n|false|0|-|–|active|subscribed|opted[ _-]?in|never|none|off)$/i.test(cell);

/** Targets with a fixed set of values, in the order they are read. */
export const choiceTargets = [
  ['gender', 'gender', parseGender],
  ['ageRange', 'age_range', parseAgeRange],
  ['type', 'type', parseContactType],
  ['optinType', 'optin_type', parseOptInType],
] as const satisfies readonly (readonly [
  ImportTarget,
  TextColumn,
  (cell: string) => string | null,
])[];
/** The texts without repetitions in another case; the first spelling stays. */
export const uniqueIgnoringCase = (texts: readonly string[]): string[] => {
  const unique = new Map<string, string>();
  for (const text of texts) {
    const key = text.toLowerCase();
    if (!unique.has(key)) unique.set(key, text);
  }
  return [...unique.values()];
};

/** The addresses in a cell that can hold several, in the forms of mail programs; others as typed. */
export const emailsIn = (cell: string): string[] =>
  cell
    .split(/\s*(?::::|[;,|\n])\s*|\s+\/\s+|(?<=@\S+)\s+(?=\S+@)/)
    .map((part) =>
      tidyEmail(
        part
          .trim()
          .replace(/^.*<([^<>]+)>$/, '$1')
          .replace(/^mailto:/i, ''),
      ),
    )
    .filter((part) => part !== '');
