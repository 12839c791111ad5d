/** When a CRM's changes are read, and how far they were. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

interface DueReading {
  companyId: number;
  connectionId: number;
}

/**
 * Accounts whose changes are due, of all companies, with the system role. Each is put off until `again`,
 * so that it isn't started twice.
 */
export const takeDueReadings = async (
  tx: Tx,
  {
    providers,
    now,
    again,
    most,
  }: { providers: readonly string[]; now: Date; again: Date; most: number },
): Promise<DueReading[]> =>
  (
    await sql<DueReading>`update oauth_integration o set read_due_at = ${again}
    from (
      select i.company_id, i.connection_id from oauth_integration i
      where i.state = 'active' and coalesce(i.read_due_at, '-infinity') <= ${now}
        and (coalesce((i.config ->> 'read_names')::boolean, true)
          or coalesce((i.config ->> 'assign_owners')::boolean, false))
        and exists (select from destination d
          where d.company_id = i.company_id and d.connection_id = i.connection_id
            and d.status = 'active' and d.provider = any (${[...providers]}::text[]))
      order by i.read_due_at nulls first, i.company_id limit ${most}
      for update skip locked) due
    where o.company_id = due.company_id and o.connection_id = due.connection_id
    returning o.company_id "companyId", o.connection_id "connectionId"`.execute(tx)
  ).rows;
