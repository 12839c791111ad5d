import { z } from 'zod';
import { updateContact } from '#contract/contacts';
import { normalizePhone } from '#contract/phone';
import { fieldErrors } from '#contract/problem-sentences';
import { columns, patchOf } from './details.ts';
import type { UpsertRow } from './upsert-contacts.ts';
import type { Written } from './store-many.ts';

/** What a row may write beside the number that it is about. */
export const isWritable = (key: string): boolean =>
  Object.hasOwn(columns, key) || ['groups', 'labels', 'eavAttributeValues'].includes(key);

export interface RowError {
  row: number;
  field: string;
  message: string;
}
/** Contacts as a request says them, read one by one: those that can be written, and for the others why not. Rows count from 1. */
export function readRows(
  rows: readonly Record<string, unknown>[],
  group: number | null,
): { good: UpsertRow[]; errors: RowError[] } {
  const errors: RowError[] = [];
  const good = new Map<string, UpsertRow>();
  for (const [i, said] of rows.entries()) {
    const row = i + 1;
    const typed =
      said['number'] === undefined || said['number'] === null ? '' : String(said['number']).trim();
    if (!typed) {
      errors.push({ row, field: 'number', message: 'This row has no number.' });
      continue;
    }
    const number = normalizePhone(typed);
    if (!number) {
      errors.push({ row, field: 'number', message: `“${typed}” is not a phone number.` });
      continue;
    }
    if (good.has(number)) {
      errors.push({ row, field: 'number', message: 'This number stands in an earlier row, too.' });
      continue;
    }
    const mine = Object.fromEntries(
      Object.entries(said).filter(([key, value]) => isWritable(key) && value !== undefined),
    );
    const read = updateContact.body.safeParse(mine);
    if (!read.success) {
      for (const [field, [message]] of Object.entries(
        fieldErrors(read.error as unknown as z.ZodError),
      ))
        errors.push({ row, field, message: message ?? 'This value is not right.' });
      continue;
    }
    const body = read.data;
    good.set(number, {
      number,
      details: patchOf(body) as Partial<Written>,
      groups: [...(body.groups ?? []), ...(group === null ? [] : [group])],
      ...(body.labels ? { labels: body.labels } : {}),
      ...(body.eavAttributeValues ? { values: body.eavAttributeValues } : {}),
    });
  }
  return { good: [...good.values()], errors };
}
