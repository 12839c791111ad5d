/** Companies whose summary is due. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** A company that wants figures by email, and its date now (YYYY-MM-DD, in its time zone). */
export interface DueSummary {
  companyId: number;
  name: string;
  timezone: string;
  today: string;
  frequency: 'daily' | 'weekly';
  recipients: string[];
}

/**
 * Active companies with a summary whose morning it is: from `hour` on, for as many hours; weekly
 * ones on Mondays.
 */
export const dueSummaries = async (
  directory: Tx,
  now: Date,
  { hour, hours }: { hour: number; hours: number },
): Promise<DueSummary[]> =>
  (
    await sql<DueSummary>`select id as "companyId", name, timezone, wish ->> 'frequency' as frequency,
        array(select jsonb_array_elements_text(wish -> 'recipients')) as recipients,
        to_char(local, 'YYYY-MM-DD') as today
      from company cross join lateral (select settings -> 'summary_email' as wish,
        ${now}::timestamptz at time zone timezone as local) l
      where status = 0 and wish ->> 'frequency' in ('daily', 'weekly')
        and extract(hour from local) >= ${hour} and extract(hour from local) < ${hour + hours}
        and (wish ->> 'frequency' = 'daily' or extract(isodow from local) = 1)
      order by id`.execute(directory)
  ).rows;
