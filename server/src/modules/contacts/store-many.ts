import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { ContactRow } from './store.ts';

/** Work on many contacts of a company takes turns: two that hold hundreds of rows in different order would wait for each other for ever. */
export const takeTurn = (tx: Tx, companyId: number) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`contacts:${companyId}`}, 0))`.execute(tx);

/** The columns that are written by the thousand, in the table's words. */
export const written = [
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
export type Written = Pick<ContactRow, (typeof written)[number]>;
const shape = sql.raw(
  `id bigint, number text, ${written.map((w) => `${w} ${w === 'alternative_names' || w === 'secondary_emails' ? 'text[]' : 'text'}`).join(', ')}`,
);
const names = sql.raw(written.join(', '));

/** Make these, unless somebody made them meanwhile; answers those made. */
export const insertMany = async (
  tx: Tx,
  companyId: number,
  rows: readonly (Written & { number: string })[],
  source: string,
  at: Date,
): Promise<{ id: number; number: string }[]> =>
  rows.length
    ? (
        await sql<{
          id: number;
          number: string;
        }>`insert into contact (company_id, number, source, created_at, updated_at, ${names})
    select ${companyId}, r.number, ${source}, ${at}, ${at}, ${sql.raw(written.map((w) => `r.${w}`).join(', '))} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(${shape})
    on conflict (company_id, number) where deleted_at is null do nothing returning id, number`.execute(
          tx,
        )
      ).rows
    : [];
export const updateMany = async (
  tx: Tx,
  companyId: number,
  rows: readonly (Written & { id: number })[],
  at: Date,
): Promise<void> => {
  if (rows.length)
    await sql`update contact c set updated_at = ${at}, ${sql.raw(written.map((w) => `${w} = r.${w}`).join(', '))} from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(${shape}) where c.company_id = ${companyId} and c.id = r.id and c.deleted_at is null`.execute(
      tx,
    );
};
