import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

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

/** Inbound call figures for days (inclusive) of a time zone, on these numbers (null = all). */
export async function callFigures(
  tx: Tx,
  companyId: number,
  days: { start: string; end: string; tz: string },
  only: readonly number[] | null,
): Promise<CallFigures> {
  const { rows } = await sql<CallFigures>`select count(*)::int total,
      count(*) filter (where outcome = 1)::int answered,
      count(*) filter (where outcome = 2)::int missed,
      count(*) filter (where outcome = 3)::int voicemail,
      count(*) filter (where outcome = 4)::int blocked,
      count(distinct party)::int unique_callers,
      count(*) filter (where first_contact)::int first_time,
      coalesce(round(avg(talk_seconds) filter (where outcome = 1)), 0)::int avg_duration,
      coalesce(round(sum(talk_seconds) / 60.0), 0)::int total_minutes,
      coalesce(round(avg(ring_seconds) filter (where outcome = 1)), 0)::int avg_ring,
      count(*) filter (where qualified)::int qualified,
      count(*) filter (where lead)::int leads
    from call where company_id = ${companyId} and not outbound
      and ${only === null ? sql`true` : sql`number_id = any (${[...only]}::bigint[])`}
      and started_at >= (${days.start}::date)::timestamp at time zone ${days.tz}
      and started_at < (${days.end}::date + 1)::timestamp at time zone ${days.tz}`.execute(tx);
  if (rows[0] === undefined) throw new Error('An aggregate query returned no row');
  return rows[0];
}
