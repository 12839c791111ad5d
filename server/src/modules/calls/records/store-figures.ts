import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { mustBe } from '../../../platform/must-be.ts';

export interface CallFigures {
  total: number;
  answered: number;
  missed: number;
  voicemail: number;
  blocked: number;
  unique_callers: number;
  first_time: number;
  avg_duration: number;
  total_minutes: number;
  avg_ring: number;
  qualified: number;
  leads: number;
}
/** Days of a zone, both included; `until` cuts the last of them at a local time such as 14:30:00. */
interface Days {
  start: string;
  end: string;
  tz: string;
  until?: string | undefined;
}

/**
 * Inbound call figures of days (inclusive) of a time zone on these numbers (null = all); averages in seconds over
 * answered calls.
 * @param format of the series, which counts the same calls per day or per hour in local time
 */
export async function callFigures(
  tx: Tx,
  companyId: number,
  { start, end, tz, until }: Days,
  format: 'YYYY-MM-DD' | 'YYYY-MM-DD"T"HH24":00"',
  only: readonly number[] | null,
): Promise<{ all: CallFigures; series: Map<string, CallFigures> }> {
  const last = until ? sql`(${end}::date + ${until}::time)` : sql`(${end}::date + 1)::timestamp`;
  // One walk for the whole and its parts: the row whose `at` is null is the whole.
  const { rows } = await sql<CallFigures & { at: string | null }>`
    select at, count(*)::int total, count(*) filter (where outcome = 1)::int answered,
      count(*) filter (where outcome = 2)::int missed,
      count(*) filter (where outcome = 3)::int voicemail,
      count(*) filter (where outcome = 4)::int blocked,
      count(distinct party)::int unique_callers,
        count(*) filter (where first_contact)::int first_time,
      coalesce(round(avg(talk_seconds) filter (where outcome = 1)), 0)::int avg_duration,
      coalesce(round(sum(talk_seconds) / 60.0), 0)::int total_minutes,
      coalesce(round(avg(ring_seconds) filter (where outcome = 1)), 0)::int avg_ring,
      count(*) filter (where qualified)::int qualified, count(*) filter (where lead)::int leads
    from (select outcome, party, talk_seconds, ring_seconds, first_contact, qualified, lead,
        to_char(started_at at time zone ${tz}, ${format}) at from call
      where company_id = ${companyId} and not outbound
        and ${only === null ? sql`true` : sql`number_id = any (${[...only]}::bigint[])`}
        and started_at >= (${start}::date)::timestamp at time zone ${tz}
        and started_at < ${last} at time zone ${tz}) c
    group by grouping sets ((), (at))`.execute(tx);
  const { at: _, ...all } = mustBe(
    rows.find(({ at }) => at === null),
    'the total row of the grouping sets',
  );
  return { all, series: new Map(rows.flatMap((row) => (row.at ? [[row.at, row]] : []))) };
}
