import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { ExistingContact } from './plan-row.ts';
import { listColumns, textColumns, type ContactValues } from './rules.ts';

/** Contacts as an import reads and writes them: thousands in one statement. */

const columns = [...textColumns, ...listColumns];
type ContactRow = Pick<
  Selectable<Tables['contact']>,
  'id' | 'number' | 'unsubscribed_at' | 'updated_at' | (typeof columns)[number]
>;
const selectContacts = sql`select c.id, c.number, c.unsubscribed_at, c.updated_at,
  ${sql.join(columns.map((column) => sql.ref(`c.${column}`)))} from contact c`;

/**
 * Existing contacts by number, also by numbers they got from merges. `lock`: lock them, in the order
 * of their numbers, until the transaction ends.
 */
export async function existingContactsByNumber(
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
  lock: boolean,
): Promise<Map<string, ExistingContact>> {
  const order = lock ? sql`order by c.number for update` : sql``;
  const { rows } = await sql<ContactRow>`${selectContacts}
    where c.company_id = ${companyId} and c.number = any(${[...numbers]}::text[])
      and c.deleted_at is null ${order}`.execute(tx);
  // Two look-ups instead of a join, which reads all contacts while there are no statistics.
  const merged = await tx
    .selectFrom('contact_number')
    .select(['number', 'contact_id'])
    .where('company_id', '=', companyId)
    .where(sql<boolean>`number = any(${[...numbers]}::text[])`)
    .execute();
  const mergedRows = merged.length
    ? (
        await sql<ContactRow>`${selectContacts} where c.company_id = ${companyId}
          and c.id = any(${merged.map((one) => one.contact_id)}::bigint[])
          and c.deleted_at is null ${order}`.execute(tx)
      ).rows
    : [];

  const byId = new Map<number, ExistingContact>();
  for (const row of [...rows, ...mergedRows])
    if (!byId.has(row.id)) byId.set(row.id, existingContact(row));
  const byNumber = new Map<string, ExistingContact>();
  const add = (number: string, contactId: number) => {
    const contact = byId.get(contactId);
    if (contact) byNumber.set(number, contact);
  };
  for (const row of rows) add(row.number, row.id);
  for (const one of merged) add(one.number, one.contact_id);
  return byNumber;
}
const existingContact = (row: ContactRow): ExistingContact => ({
  id: row.id,
  number: row.number,
  values: valuesOfRow(row),
  unsubscribed: row.unsubscribed_at !== null,
  groups: new Set(),
  labels: new Set(),
  custom: new Map(),
});
/** All columns that a file can fill; an empty text for null. */
export function valuesOfRow(row: ContactRow): ContactValues {
  const values: ContactValues = {};
  for (const column of textColumns) values[column] = row[column] ?? '';
  for (const column of listColumns) values[column] = row[column];
  return values;
}

const recordsetColumns = sql.raw(
  [
    'id bigint',
    'number text',
    'unsubscribed_at timestamptz',
    ...textColumns.map((column) => `${column} text`),
    ...listColumns.map((column) => `${column} text[]`),
  ].join(', '),
);
const emptyValueOf: Partial<Record<(typeof columns)[number], string>> = {
  gender: 'null',
  age_range: 'null',
  optin_type: 'null',
  type: "'Person'",
  alternative_names: "'{}'",
  secondary_emails: "'{}'",
};
const isList = (column: (typeof columns)[number]) =>
  (listColumns as readonly string[]).includes(column);
const columnValue = (column: (typeof columns)[number]) =>
  `coalesce(${isList(column) ? `x.${column}` : `nullif(x.${column}, '')`}, ${emptyValueOf[column] ?? "''"})`;
const insertColumns = sql.raw(columns.join(', '));
const insertValues = sql.raw(columns.map(columnValue).join(', '));

/**
 * Creates these contacts; returns ID by number. A number that got a contact meanwhile is missing.
 */
export async function insertImportedContacts(
  tx: Tx,
  companyId: number,
  contacts: readonly (ContactValues & { number: string; unsubscribed_at: Date | null })[],
  at: Date,
): Promise<Map<string, number>> {
  if (!contacts.length) return new Map();
  // In the order of their numbers, as locks are taken, so that two imports never deadlock.
  const sorted = [...contacts].sort((a, b) => (a.number < b.number ? -1 : 1));
  const { rows } = await sql<Pick<ContactRow, 'id' | 'number'>>`
    insert into contact (company_id, number, unsubscribed_at, source, created_at, updated_at,
      ${insertColumns})
    select ${companyId}, x.number, x.unsubscribed_at, 'Import', ${at}, ${at}, ${insertValues}
    from json_to_recordset(${JSON.stringify(sorted)}::json) as x(${recordsetColumns})
    on conflict (company_id, number) where deleted_at is null do nothing
    returning id, number`.execute(tx);
  return new Map(rows.map((row) => [row.number, row.id]));
}

const updateAssignments = sql.raw(
  columns.map((column) => `${column} = ${columnValue(column)}`).join(', '),
);
/** Sets all columns of these contacts; one that is left out becomes empty. An opt-out stays. */
export async function updateImportedContacts(
  tx: Tx,
  companyId: number,
  contacts: readonly (ContactValues & { id: number; unsubscribed_at: Date | null })[],
  at: Date,
): Promise<void> {
  if (!contacts.length) return;
  await sql`
    update contact c set ${updateAssignments},
      unsubscribed_at = coalesce(c.unsubscribed_at, x.unsubscribed_at), updated_at = ${at}
    from json_to_recordset(${JSON.stringify(contacts)}::json) as x(${recordsetColumns})
    where c.company_id = ${companyId} and c.id = x.id`.execute(tx);
}
/** Deletes these contacts, restorable; returns how many. */
export async function deleteImportedContacts(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  by: number | null,
  at: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update contact set deleted_at = ${at}, deleted_by = ${by}
    where company_id = ${companyId} and id = any(${[...ids]}::bigint[])
      and deleted_at is null`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
/** Those of these contacts that are not deleted, locked until the transaction ends. */
export const lockContactsForUndo = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<ContactRow[]> =>
  (
    await sql<ContactRow>`${selectContacts} where c.company_id = ${companyId}
      and c.id = any(${[...ids]}::bigint[]) and c.deleted_at is null
      order by c.number for update`.execute(tx)
  ).rows;
