import { fold } from '#contract/fold';
import {
  kindOfAttribute,
  ruleFields,
  ruleOps,
  takesValue,
  type RuleKind,
} from '#contract/contacts/rules';
import type { ContactRule } from '#contract/contacts/schemas';
import type { FieldValueType } from '#contract/fields/rules';

/**
 * A search term in lower case, and its digits when it looks like a phone number (A §5); null: it
 * doesn't.
 */
export function readSearch(typed: string): { words: string; digits: string | null } {
  const words = fold(typed).trim();
  const digits = /^[+\d\s().-]{3,}$/.test(words) ? words.replace(/[\s().-]/g, '') : null;
  return {
    words,
    digits:
      digits && digits.length >= 3 && digits !== words
        ? digits
        : /^[+\d]{3,}$/.test(words)
          ? words
          : null,
  };
}
/** A `like` pattern: anywhere in the folded text. */
export const containsPattern = (text: string) => `%${escapeLike(fold(text))}%`;
/** Text for SQL `like` in which `%`, `_` and backslashes mean themselves. */
export const escapeLike = (text: string) => text.replace(/[%_\\]/g, '\\$&');

/** A custom field in a rule. */
export interface FilterField {
  id: number;
  type: string;
  choices: readonly { id: number; value: string }[];
  /** For contacts without a value of their own; null: none. */
  defaultValue: FieldValueType | null;
}
/** The ID in a filter field `custom:12`. Null: not a custom field. */
export const customFieldId = (field: string): number | null =>
  /^custom:\d{1,16}$/.test(field) ? Number(field.slice(7)) : null;
/** The kind of a filter field, which decides its operators. Null: no such field. */
export function kindOf(field: string, custom: ReadonlyMap<number, FilterField>): RuleKind | null {
  const own = customFieldId(field);
  if (own !== null) {
    const found = custom.get(own);
    return found ? (kindOfAttribute[found.type] ?? null) : null;
  }
  return Object.hasOwn(ruleFields, field) ? (ruleFields[field]?.kind ?? null) : null;
}

/** What is wrong with a rule: sentence by path. Empty: nothing. */
export function ruleProblems(
  rule: ContactRule,
  columns: {
    custom: ReadonlyMap<number, FilterField>;
    groups: ReadonlySet<number>;
    labels: ReadonlySet<number>;
  },
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [i, line] of rule.all.entries()) {
    const at = `rule.all.${i}`;
    const kind = kindOf(line.field, columns.custom);
    if (!kind) {
      problems[`${at}.field`] = 'Choose a field.';
      continue;
    }
    if (!Object.hasOwn(ruleOps[kind], line.op)) {
      problems[`${at}.op`] = 'Choose a comparison.';
      continue;
    }
    if (!takesValue(line.op)) continue;
    const { value } = line;
    if (line.op.endsWith('within_days')) {
      if (!Number.isInteger(Number(value)) || Number(value) < 1 || Number(value) > 36_500)
        problems[`${at}.value`] = 'Enter a number of days.';
    } else if (kind === 'date') {
      if (
        typeof value !== 'string' ||
        !/^\d{4}-\d\d-\d\d/.test(value) ||
        Number.isNaN(Date.parse(value))
      )
        problems[`${at}.value`] = 'Choose a date.';
    } else if (kind === 'number') {
      if (value === '' || value === null || !Number.isFinite(Number(value)))
        problems[`${at}.value`] = 'Enter a number.';
    } else if (kind === 'flag') {
      if (typeof value !== 'boolean') problems[`${at}.value`] = 'Choose yes or no.';
    } else if (kind === 'member') {
      const known = line.field === 'group' ? columns.groups : columns.labels;
      if (!known.has(Number(value)))
        problems[`${at}.value`] =
          line.field === 'group' ? 'Choose a group without a rule.' : 'Choose a label.';
    } else if (line.op === 'in') {
      if (!Array.isArray(value) || !value.length) problems[`${at}.value`] = 'Choose at least one.';
    } else if (typeof value !== 'string' && typeof value !== 'number')
      problems[`${at}.value`] = 'Enter a value.';
    else if (String(value).trim() === '') problems[`${at}.value`] = 'Enter a value.';
  }
  return problems;
}

/** A list position as a cursor: the sort value and ID of the last row. */
export const writeCursor = (value: string | null, id: number) =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url');
/**
 * Reads a list cursor: the last row's sort value (may be null) and ID. Null: not a cursor of ours.
 */
export function readCursor(cursor: string): { value: string | null; id: number } | null {
  try {
    const [value, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [
      unknown,
      unknown,
    ];
    return (value === null || typeof value === 'string') && Number.isSafeInteger(id)
      ? { value, id: id as number }
      : null;
  } catch {
    return null;
  }
}
