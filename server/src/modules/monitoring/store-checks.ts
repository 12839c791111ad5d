import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

// The system role: finds in every company what is due.

export interface DueCompany {
  id: number;
  name: string;
  timezone: string;
  /** Checks that are due beside those of every five minutes. */
  quarter: boolean;
  hour: boolean;
  day: boolean;
}

/**
 * Active companies whose checks are due, longest waiting first, and marks them as checked now. A
 * company that was never checked starts at a minute of its own, so that a thousand don't come at
 * once; what was missed is made up once.
 */
export const takeDueCompanies = async (tx: Tx, now: Date, limit: number): Promise<DueCompany[]> =>
  (
    await sql<DueCompany>`
      with fresh as (
        insert into alert_check (company_id, five_minutes_at, quarter_at, hour_at, day_at)
        select c.id, ${now}::timestamptz - (c.id % 300) * interval '1 second',
          ${now}::timestamptz - (c.id % 900) * interval '1 second',
          ${now}::timestamptz - (c.id % 3600) * interval '1 second',
          ${now}::timestamptz - (c.id % 86400) * interval '1 second'
        from company c
        where c.status = 0 and not exists (select from alert_check k where k.company_id = c.id)
        on conflict do nothing
      ), due as (
        select k.company_id, k.quarter_at <= ${now}::timestamptz - interval '15 minutes' as quarter,
          k.hour_at <= ${now}::timestamptz - interval '1 hour' as hour,
          k.day_at <= ${now}::timestamptz - interval '1 day' as day
        from alert_check k join company c on c.id = k.company_id and c.status = 0
        where k.five_minutes_at <= ${now}::timestamptz - interval '5 minutes'
        order by k.five_minutes_at limit ${limit}
        for update of k skip locked
      )
      update alert_check k set five_minutes_at = ${now},
        quarter_at = case when due.quarter then ${now} else k.quarter_at end,
        hour_at = case when due.hour then ${now} else k.hour_at end,
        day_at = case when due.day then ${now} else k.day_at end
      from due, company c
      where k.company_id = due.company_id and c.id = k.company_id
      returning c.id, c.name, c.timezone, due.quarter, due.hour, due.day`.execute(tx)
  ).rows;
