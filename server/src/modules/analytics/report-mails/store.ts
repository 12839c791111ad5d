/** Favorites whose email is due. */
import { sql } from 'kysely';
import type { ReportAttachment, ReportFrequency } from '#contract/analytics/favorites/rules';
import type { Tx } from '../../../platform/db.ts';
import { organizationIn } from '../favorites/store.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/**
 * A report to be emailed, its time zone, which is that of the organization it is of or else of its
 * company, and the date there now (YYYY-MM-DD).
 */
export interface DueReport {
  id: number;
  companyId: number;
  company: string;
  timezone: string;
  today: string;
  userId: number;
  user: string;
  name: string;
  /** JSON text: the path of the screen and its choices. */
  value: string;
  frequency: ReportFrequency;
  recipients: string[];
  attach: ReportAttachment;
}

/**
 * Reports of active companies whose hour has come, or came less than `hours` ago on the same day;
 * weekly ones on Mondays, monthly ones on the first.
 */
export const dueReports = async (directory: Tx, now: Date, hours: number): Promise<DueReport[]> =>
  (
    await sql<DueReport>`select f.id, f.company_id as "companyId", c.name as company,
        coalesce(o.timezone, c.timezone) as timezone, to_char(local, 'YYYY-MM-DD') as today, f.user_id as "userId", f.name, f.value,
        coalesce(nullif(trim(p.first_name || ' ' || p.last_name), ''), p.email) as "user",
        f.schedule ->> 'frequency' as frequency,
        coalesce(f.schedule ->> 'attach', 'none') as attach,
        array(select jsonb_array_elements_text(f.schedule -> 'recipients')) as recipients
      from favorite_report f join company c on c.id = f.company_id join person p on p.id = f.user_id
        left join organization o on o.id::text = ${organizationIn}
        cross join lateral (
          select ${now}::timestamptz at time zone coalesce(o.timezone, c.timezone) as local) l
      where f.schedule is not null and c.status = 0
        and extract(hour from local) >= (f.schedule ->> 'hour')::int
        and extract(hour from local) < (f.schedule ->> 'hour')::int + ${hours}
        and case f.schedule ->> 'frequency' when 'weekly' then extract(isodow from local) = 1
          when 'monthly' then extract(day from local) = 1 else true end
      order by f.company_id, f.id`.execute(directory)
  ).rows;

/** Which of these addresses sign in to the company, in lower case. */
export const addressesWithAccounts = async (
  tx: Tx,
  companyId: number,
  addresses: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ email: string }>`select lower(p.email) as email
    from membership m join person p on p.id = m.user_id
    where m.company_id = ${companyId} and m.deactivated_at is null
      and lower(p.email) = any(${addresses.map((one) => one.toLowerCase())}::text[])`.execute(tx);
  return new Set(rows.map(({ email }) => email));
};

interface MailedReport {
  name: string;
  company: string;
  schedule: { frequency: ReportFrequency; hour: number; recipients: string[] };
}

/** A favorite that is emailed, locked until the transaction ends. Undefined: none of this ID. */
export const lockMailed = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<MailedReport | undefined> =>
  (
    await sql<MailedReport>`select f.name, c.name as company, f.schedule
      from favorite_report f join company c on c.id = f.company_id
      where f.company_id = ${companyId} and f.id = ${id} and f.schedule is not null
      for update of f`.execute(tx)
  ).rows[0];

/** Sets when a favorite is emailed; null: never. */
export const patchSchedule = (
  tx: Tx,
  companyId: number,
  id: number,
  { schedule, at }: { schedule: MailedReport['schedule'] | null; at: Date },
) =>
  tx
    .updateTable('favorite_report')
    .set({ schedule: schedule && JSON.stringify(schedule), updated_at: at })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();
