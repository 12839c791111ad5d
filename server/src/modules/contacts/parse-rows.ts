import { z } from 'zod';
import { updateContact } from '#contract/contacts/operations/contacts';
import { normalizePhone } from '#contract/phone';
import { fieldErrors } from '#contract/problem-sentences';
import { contactColumns, contactPatchOf } from './contact-fields.ts';
import type { UpsertRow } from './upsert-contacts.ts';
import type { ContactColumns } from './store-many.ts';

/** True for fields that a row can set, besides `number`. */
export const isWritable = (key: string): boolean =>
  Object.hasOwn(contactColumns, key) || ['groups', 'labels', 'eavAttributeValues'].includes(key);

interface RowError {
  row: number;
  field: string;
  message: string;
}
/** Validates rows of a request one by one: those to write, and errors by row. Rows count from 1. */
export function readRows(
  rows: readonly Record<string, unknown>[],
  group: number | null,
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
    const read = updateContact.body.safeParse(writable);
    if (!read.success) {
      for (const [field, [message]] of Object.entries(
        fieldErrors(read.error as unknown as z.ZodError),
      ))
        errors.push({ row, field, message: message ?? 'This value isn’t valid.' });
      continue;
    }
    const body = read.data;
    good.set(number, {
      number,
      details: contactPatchOf(body) as Partial<ContactColumns>,
      groups: [...(body.groups ?? []), ...(group === null ? [] : [group])],
      ...(body.labels ? { labels: body.labels } : {}),
      ...(body.eavAttributeValues ? { values: body.eavAttributeValues } : {}),
    });
  }
  return { valid: [...good.values()], errors };
}
