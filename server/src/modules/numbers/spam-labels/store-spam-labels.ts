import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

// The system role: finds in every company what is due.

/** A day after its last check, a number is due for the next. Fax numbers show no one a caller. */
const isDue = (now: Date) => sql`n.status = 'active' and n.category <> 3
  and (n.spam_checked_at is null or n.spam_checked_at <= ${now}::timestamptz - interval '1 day')`;

/** Active companies with a number that is due. */
export const companiesWithDueNumbers = async (tx: Tx, now: Date): Promise<number[]> =>
  (
    await sql<{ id: number }>`
      select c.id from company c
      where c.status = 0 and exists (
        select from number n where n.company_id = c.id and ${isDue(now)})
      order by c.id`.execute(tx)
  ).rows.map(({ id }) => id);

/** Numbers of a company that are due, in E.164. */
export const dueNumbers = async (tx: Tx, companyId: number, now: Date): Promise<string[]> =>
  (
    await sql<{ number: string }>`
      select n.number from number n where n.company_id = ${companyId} and ${isDue(now)}
      order by n.spam_checked_at nulls first, n.id`.execute(tx)
  ).rows.map(({ number }) => number);

interface SpamLabels {
  id: number;
  number: string;
  status: string;
  labels: string[];
}

/** Locks a number that the company holds now. Undefined: it has gone meanwhile. */
export const lockSpamLabels = async (
  tx: Tx,
  companyId: number,
  number: string,
): Promise<SpamLabels | undefined> =>
  (
    await sql<SpamLabels>`
      select id, number, spam_status as status, spam_labels as labels from number
      where company_id = ${companyId} and number = ${number} and status = 'active'
      for no key update`.execute(tx)
  ).rows[0];
