import { mergeFields, type MergeField } from '#contract/contacts';
import { columns } from '../details.ts';
import type { ContactRow } from '../store.ts';

export type Side = 'this' | 'with';
const columnOf = (field: MergeField): keyof ContactRow =>
  field === 'number' ? 'number' : columns[field];
const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && !value.length);
export const fieldsOfMerge = Object.keys(mergeFields) as MergeField[];
const unique = (words: readonly string[]) =>
  [...new Map(words.filter(Boolean).map((w) => [w.toLowerCase(), w])).values()].slice(0, 20);

/**
 * What two contacts become. Each field is the chosen side's; where nothing was chosen, this one's unless it is empty. The names
 * and e-mails that lose are kept as further ones, so that nothing a person was called by is forgotten.
 */
export function mergedOf(
  mine: ContactRow,
  other: ContactRow,
  choose: Readonly<Record<string, Side>>,
): Partial<ContactRow> {
  const merged: Partial<Record<keyof ContactRow, unknown>> = {};
  for (const field of fieldsOfMerge) {
    const column = columnOf(field);
    const side = choose[field] ?? (isEmpty(mine[column]) ? 'with' : 'this');
    merged[column] = (side === 'with' ? other : mine)[column];
  }
  const not = (word: unknown) => (w: string) =>
    w.toLowerCase() !== String(word ?? '').toLowerCase();
  merged.alternative_names = unique([
    ...mine.alternative_names,
    ...other.alternative_names,
    mine.name,
    other.name,
  ]).filter(not(merged.name));
  merged.secondary_emails = unique([
    ...mine.secondary_emails,
    ...other.secondary_emails,
    mine.email,
    other.email,
  ]).filter(not(merged.email));
  // What is known of a number goes with the number.
  const holder = merged.number === other.number ? other : mine;
  merged.unsubscribed_at = holder.unsubscribed_at;
  merged.invalid = holder.invalid;
  merged.carrier = holder.carrier ?? mine.carrier ?? other.carrier;
  return merged as Partial<ContactRow>;
}
export const differingFields = (mine: ContactRow, other: ContactRow): MergeField[] =>
  fieldsOfMerge.filter(
    (field) => JSON.stringify(mine[columnOf(field)]) !== JSON.stringify(other[columnOf(field)]),
  );

/** The part of `after` that nobody touched since goes back to what it was; the rest stays as people made it. */
export function backFrom(
  now: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const plain = (v: unknown) => JSON.stringify(v instanceof Date ? v.toISOString() : (v ?? null));
  return Object.fromEntries(
    Object.keys(before)
      .filter((column) => plain(now[column]) === plain(after[column]))
      .map((column) => [column, before[column]]),
  );
}
