import { z } from 'zod';
import { updateContact } from '#contract/contacts/operations/contacts';
import { normalizePhone } from '#contract/phone';
import { fieldErrors } from '#contract/problem-sentences';
import { contactColumns, contactPatchOf } from './contact-fields.ts';
import { otherNumbersOf } from './other-numbers.ts';
import type { UpsertRow } from './upsert-contacts.ts';
import type { ContactColumns } from './store-many.ts';

/** True for fields that a row can set, besides `number`. */
export const isWritable = (key: string): boolean =>
  Object.hasOwn(contactColumns, key) ||
  ['groups', 'labels', 'eavAttributeValues', 'otherNumbers'].includes(key);

interface RowError {
  row: number;
  field: string;
  message: string;
}
type UpdateBody = Extract<
  ReturnType<typeof updateContact.body.safeParse>,
  { success: true }
>['data'];

/** The fields of a row, and what is wrong with them; null: the row can't be written. */
function readBody(
  writable: Record<string, unknown>,
  dropInvalid: boolean,
): { body: UpdateBody | null; problems: Omit<RowError, 'row'>[] } {
  const read = updateContact.body.safeParse(writable);
  if (read.success) return { body: read.data, problems: [] };
  const found = Object.entries(fieldErrors(read.error as unknown as z.ZodError));
  const problems = found.map(([field, [message]]) => ({
    field,
    message: message ?? 'This value isn’t valid.',
  }));
  if (!dropInvalid) return { body: null, problems };
  const rejected = new Set(found.map(([field]) => field.split('.')[0]));
  const rest = Object.entries(writable).filter(([field]) => !rejected.has(field));
  const again = updateContact.body.safeParse(Object.fromEntries(rest));
  return { body: again.success ? again.data : null, problems };
}

/**
 * Validates rows of a request one by one: those to write, and errors by row. Rows count from 1.
 * `dropInvalid`: an invalid field is left out, the rest of its row is written.
 */
export function readRows(
  rows: readonly Record<string, unknown>[],
  group: number | null,
  dropInvalid = false,
): { valid: UpsertRow[]; errors: RowError[] } {
  const errors: RowError[] = [];
  const good = new Map<string, UpsertRow>();
  for (const [i, input] of rows.entries()) {
    const row = i + 1;
    const typed =
      input['number'] === undefined || input['number'] === null
        ? ''
        : String(input['number']).trim();
    if (!typed) {
      errors.push({ row, field: 'number', message: 'This row has no number.' });
      continue;
    }
    const number = normalizePhone(typed);
    if (!number) {
      errors.push({ row, field: 'number', message: `“${typed}” isn’t a phone number.` });
      continue;
    }
    if (good.has(number)) {
      errors.push({ row, field: 'number', message: 'This number is also in an earlier row.' });
      continue;
    }
    const writable = Object.fromEntries(
      Object.entries(input).filter(([key, value]) => isWritable(key) && value !== undefined),
    );
    const { body, problems } = readBody(writable, dropInvalid);
    errors.push(...problems.map((problem) => ({ row, ...problem })));
    if (!body) continue;
    good.set(number, {
      number,
      details: contactPatchOf(body) as Partial<ContactColumns>,
      groups: [...(body.groups ?? []), ...(group === null ? [] : [group])],
      ...(body.labels ? { labels: body.labels } : {}),
      ...(body.otherNumbers ? { otherNumbers: otherNumbersOf(body.otherNumbers, number) } : {}),
      ...(body.eavAttributeValues ? { values: body.eavAttributeValues } : {}),
    });
  }
  return { valid: [...good.values()], errors };
}
