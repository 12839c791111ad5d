import { mergeFields, type MergeField } from '#contract/contacts/rules';
import { contactColumns } from '../contact-fields.ts';
import type { ContactRow } from '../store.ts';

export type Side = 'this' | 'with';
const columnOf = (field: MergeField): keyof ContactRow =>
  field === 'number' ? 'number' : contactColumns[field];
const isEmpty = (value: unknown) =>
  value === null || value === '' || (Array.isArray(value) && !value.length);
const fieldsOfMerge = Object.keys(mergeFields) as MergeField[];
const uniqueWords = (words: readonly string[]) =>
  [...new Map(words.filter(Boolean).map((w) => [w.toLowerCase(), w])).values()].slice(0, 20);

/**
 * The merged contact. Each field is that of the chosen side; where none was chosen, the target's unless it
 * is empty. Names and emails not chosen become alternative ones.
 */
export function mergeRows(
  target: ContactRow,
  source: ContactRow,
  choose: Readonly<Record<string, Side>>,
): Partial<ContactRow> {
  const merged: Partial<Record<keyof ContactRow, unknown>> = {};
  for (const field of fieldsOfMerge) {
    const column = columnOf(field);
    const side = choose[field] ?? (isEmpty(target[column]) ? 'with' : 'this');
    merged[column] = (side === 'with' ? source : target)[column];
  }
  const differsFrom = (word: unknown) => (w: string) =>
    w.toLowerCase() !== String(word ?? '').toLowerCase();
  merged.alternative_names = uniqueWords([
    ...target.alternative_names,
    ...source.alternative_names,
    target.name,
    source.name,
  ]).filter(differsFrom(merged.name));
  merged.secondary_emails = uniqueWords([
    ...target.secondary_emails,
    ...source.secondary_emails,
    target.email,
    source.email,
  ]).filter(differsFrom(merged.email));
  // These belong to the number.
  const holder = merged.number === source.number ? source : target;
  merged.unsubscribed_at = holder.unsubscribed_at;
  merged.invalid = holder.invalid;
  merged.carrier = holder.carrier ?? target.carrier ?? source.carrier;
  return merged as Partial<ContactRow>;
}
/** The fields whose values differ, of which the user chooses one each. */
export const differingFields = (target: ContactRow, source: ContactRow): MergeField[] =>
  fieldsOfMerge.filter(
    (field) => JSON.stringify(target[columnOf(field)]) !== JSON.stringify(source[columnOf(field)]),
  );

/**
 * A patch that restores `before` where `current` still equals `after`; values changed since stay.
 */
export function revertPatch(
  current: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const serialize = (v: unknown) =>
    JSON.stringify(v instanceof Date ? v.toISOString() : (v ?? null));
  return Object.fromEntries(
    Object.keys(before)
      .filter((column) => serialize(current[column]) === serialize(after[column]))
      .map((column) => [column, before[column]]),
  );
}
