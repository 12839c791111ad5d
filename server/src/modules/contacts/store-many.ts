import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { ContactRow } from './store.ts';

/**
 * Lock for changes of many contacts of a company: two at once, in different order, would deadlock.
 */
export const acquireContactLock = (tx: Tx, companyId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`contacts:${companyId}`}, 0))`.execute(tx);

/** The columns that bulk writes set. */
export const writableColumns = [
  'name',
  'company_name',
  'title',
  'email',
  'address1',
  'address2',
  'city',
  'state',
  'zip',
  'country',
  'notes',
  'optin_type',
  'optin_source',
  'alternative_names',
  'secondary_emails',
  'gender',
  'age_range',
  'type',
  'carrier',
] as const;
export type ContactColumns = Pick<ContactRow, (typeof writableColumns)[number]>;
const recordsetColumns = sql.raw(
  `id bigint, number text, ${writableColumns.map((w) => `${w} ${w === 'alternative_names' || w === 'secondary_emails' ? 'text[]' : 'text'}`).join(', ')}`,
);
const columnList = sql.raw(writableColumns.join(', '));

/** Creates contacts; returns those created, without numbers that got a contact meanwhile. */
export const insertManyContacts = async (
  tx: Tx,
  companyId: number,
  rows: readonly (ContactColumns & { number: string })[],
  source: string,
  at: Date,
): Promise<{ id: number; number: string }[]> =>
  rows.length
    ? (
        await sql<{
          id: number;
          number: string;
        }>`insert into contact (company_id, number, source, created_at, updated_at, ${columnList})
    select ${companyId}, r.number, ${source}, ${at}, ${at},
      ${sql.raw(writableColumns.map((w) => `r.${w}`).join(', '))}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(${recordsetColumns})
    on conflict (company_id, number)
      where deleted_at is null do nothing returning id, number`.execute(tx)
      ).rows
    : [];
/** Writes all columns of these contacts in one statement; deleted contacts stay as they are. */
export const updateManyContacts = async (
  tx: Tx,
  companyId: number,
  rows: readonly (ContactColumns & { id: number })[],
  at: Date,
): Promise<void> => {
  if (rows.length)
    await sql`update contact c set updated_at = ${at},
      ${sql.raw(writableColumns.map((w) => `${w} = r.${w}`).join(', '))}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(${recordsetColumns})
      where c.company_id = ${companyId} and c.id = r.id and c.deleted_at is null`.execute(tx);
};
