import { contactNumbersLinked } from '#contract/contacts/events';
import type { contactSources } from '#contract/contacts/rules';
import type { TxCtx } from '../../platform/context.ts';
import { setManyValues, type ValueInput } from '../fields/index.ts';
import { addLabels, addToGroups } from './assign-lists.ts';
import { writeManyNumbers } from './other-numbers.ts';
import { contactsOfNumbers, type ContactRow } from './store.ts';
import {
  insertManyContacts,
  acquireContactLock,
  updateManyContacts,
  writableColumns,
  type ContactColumns,
} from './store-many.ts';

/** A contact to write: its number in E.164 and its columns; those left out stay unchanged. */
export interface UpsertRow {
  number: string;
  details: Partial<ContactColumns>;
  groups?: readonly number[];
  labels?: readonly number[];
  /** E.164. */
  otherNumbers?: readonly string[];
  values?: readonly ValueInput[];
}
export interface UpsertResult {
  number: string;
  id: number;
  outcome: 'created' | 'updated' | 'unchanged';
  /** The earlier values of changed columns; null for a new contact. */
  before: Partial<ContactColumns> | null;
  /** Rejected custom values: message by the field's key. None of the row's values were stored. */
  errors: Record<string, string>;
}
const emptyColumns: ContactColumns = {
  name: '',
  company_name: '',
  title: '',
  email: '',
  address1: '',
  address2: '',
  city: '',
  state: '',
  zip: '',
  country: '',
  notes: '',
  optin_type: null,
  optin_source: '',
  alternative_names: [],
  secondary_emails: [],
  gender: null,
  age_range: null,
  type: 'Person',
  carrier: null,
};

/**
 * Creates or updates up to some thousand contacts by number, in a handful of statements. Numbers
 * are unique among the rows; results are in their order. Opt-outs are stored by number, so a new
 * contact gets that of its number (`contacts.have`). The caller publishes `contacts.changed` once
 * for all. `numbersMode`: whether a row's further numbers replace the contact's. Throws when a contact is removed meanwhile; then nothing is written.
 */
export async function upsertContacts(
  ctx: TxCtx,
  rows: readonly UpsertRow[],
  source: (typeof contactSources)[number],
  numbersMode: 'set' | 'add' = 'set',
): Promise<UpsertResult[]> {
  if (!rows.length) return [];
  await acquireContactLock(ctx.tx, ctx.companyId);
  const { createdIds, existing } = await createMissing(ctx, rows, source);
  const results: UpsertResult[] = [];
  const changes: (ContactColumns & { id: number })[] = [];
  for (const { number, details } of rows) {
    const createdId = createdIds.get(number);
    const contact = existing.get(number);
    if (createdId !== undefined || !contact) {
      if (createdId === undefined) throw new Error('a contact was removed while it was written');
      results.push({ number, id: createdId, outcome: 'created', before: null, errors: {} });
      continue;
    }
    const before = previousValues(contact, details);
    const isChanged = Object.keys(before).length > 0;
    if (isChanged) changes.push({ ...columnsOfRow(contact), ...details, id: contact.id });
    const outcome = isChanged ? 'updated' : 'unchanged';
    results.push({ number, id: contact.id, outcome, before, errors: {} });
  }
  await updateManyContacts(ctx.tx, ctx.companyId, changes, ctx.now);
  if (createdIds.size)
    await ctx.publish(contactNumbersLinked, {
      rows: [...createdIds].map(([number, contactId]) => ({ contactId, number })),
    });
  await writeOtherNumbers(ctx, rows, results, numbersMode);
  await writeListsAndValues(ctx, rows, results, source === 'Import' ? 'import' : 'api');
  return results;
}

/**
 * Creates contacts for numbers that have none. Returns the new IDs and the existing contacts, by
 * number.
 */
async function createMissing(
  ctx: TxCtx,
  rows: readonly UpsertRow[],
  source: (typeof contactSources)[number],
): Promise<{ createdIds: Map<string, number>; existing: Map<string, ContactRow> }> {
  const existingOf = (some: readonly UpsertRow[]) =>
    contactsOfNumbers(
      ctx.tx,
      ctx.companyId,
      some.map(({ number }) => number),
    );
  const existing = await existingOf(rows);
  const created = await insertManyContacts(
    ctx.tx,
    ctx.companyId,
    rows
      .filter(({ number }) => !existing.has(number))
      .map(({ number, details }) => ({ ...emptyColumns, ...details, number })),
    source,
    ctx.now,
  );
  const createdIds = new Map(created.map(({ number, id }) => [number, id]));
  // Created by another transaction in between.
  const missed = rows.filter(({ number }) => !existing.has(number) && !createdIds.has(number));
  if (missed.length)
    for (const [number, contact] of await existingOf(missed)) existing.set(number, contact);
  return { createdIds, existing };
}

/** Adds groups, labels and custom values; values that are rejected go into the row's result. */
async function writeListsAndValues(
  ctx: TxCtx,
  rows: readonly UpsertRow[],
  results: readonly UpsertResult[],
  valueSource: 'import' | 'api',
): Promise<void> {
  const withId = rows.flatMap((row, i) => {
    const result = results[i];
    return result ? [{ row, contactId: result.id }] : [];
  });
  await addToGroups(
    ctx,
    withId.flatMap(({ row, contactId }) =>
      (row.groups ?? []).map((groupId) => ({ contactId, groupId })),
    ),
  );
  await addLabels(
    ctx,
    withId.flatMap(({ row, contactId }) =>
      (row.labels ?? []).map((labelId) => ({ contactId, labelId })),
    ),
  );
  const values = withId.flatMap(({ row, contactId }) =>
    row.values?.length ? [{ entityId: contactId, values: row.values }] : [],
  );
  if (!values.length) return;
  const errorsByContact = await setManyValues(ctx, 7, values, { source: valueSource });
  for (const result of results) Object.assign(result.errors, errorsByContact.get(result.id) ?? {});
}

const columnsOfRow = (row: ContactRow): ContactColumns =>
  // The columns of `writableColumns`, so that no other is written back.
  Object.fromEntries(
    writableColumns.map((column) => [column, row[column]]),
  ) as Partial<ContactColumns> as ContactColumns;
/** Writes further numbers; those of other contacts go into the row's result. */
async function writeOtherNumbers(
  ctx: TxCtx,
  rows: readonly UpsertRow[],
  results: readonly UpsertResult[],
  mode: 'set' | 'add',
): Promise<void> {
  const named = rows.flatMap(({ otherNumbers }, i) => {
    const result = results[i];
    return otherNumbers && result ? [{ result, otherNumbers }] : [];
  });
  if (!named.length) return;
  const { problems, changed } = await writeManyNumbers(
    ctx,
    named.map(({ result, otherNumbers }) => ({ contact: result, numbers: otherNumbers, mode })),
  );
  for (const [i, { result }] of named.entries()) {
    const problem = problems[i];
    if (problem) result.errors['otherNumbers'] = problem;
    if (changed.has(result.id) && result.outcome === 'unchanged') result.outcome = 'updated';
  }
}
/** The current values of the columns that would change. */
function previousValues(
  existing: ContactRow,
  details: Partial<ContactColumns>,
): Partial<ContactColumns> {
  return Object.fromEntries(
    writableColumns
      .filter(
        (w) =>
          details[w] !== undefined && JSON.stringify(details[w]) !== JSON.stringify(existing[w]),
      )
      .map((w) => [w, existing[w]]),
  ) as Partial<ContactColumns>;
}
