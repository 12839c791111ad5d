import { sql } from 'kysely';
import { prepared, type Tx } from '../../../platform/db.ts';

/** From a moment to before another. */
interface Span {
  from: Date;
  to: Date;
}
/** Sums of incoming calls; `at` is the point of the series. */
interface CallSums {
  at: string;
  calls: number;
  answered: number;
  missed: number;
  voicemail: number;
  blocked: number;
  first_time: number;
  talk_seconds: number;
  answered_talk_seconds: number;
  answered_ring_seconds: number;
  qualified: number;
  leads: number;
}

/**
 * Incoming calls of these hours (their beginnings) within a span, on these numbers (null: all),
 * counted call by call.
 * @param format of the points in local time; null: one point, named ''
 */
export async function callsOfHours(
  tx: Tx,
  companyId: number,
  hours: readonly Date[],
  { from, to }: Span,
  { tz, format, only }: { tz: string; format: string | null; only: readonly number[] | null },
): Promise<CallSums[]> {
  if (!hours.length) return [];
  const at = format === null ? sql`''` : sql`to_char(started_at at time zone ${tz}, ${format})`;
  const { rows } = await sql<CallSums>`${prepared}
    select ${at} at, count(*)::int calls, count(*) filter (where outcome = 1)::int answered,
      count(*) filter (where outcome = 2)::int missed,
      count(*) filter (where outcome = 3)::int voicemail,
      count(*) filter (where outcome = 4)::int blocked,
      count(*) filter (where first_contact)::int first_time,
      sum(talk_seconds)::float8 talk_seconds,
      coalesce(sum(talk_seconds) filter (where outcome = 1), 0)::float8 answered_talk_seconds,
      coalesce(sum(ring_seconds) filter (where outcome = 1), 0)::float8 answered_ring_seconds,
      count(*) filter (where qualified)::int qualified, count(*) filter (where lead)::int leads
    from unnest(${[...hours]}::timestamptz[]) h cross join lateral (
      select * from call
      where company_id = ${companyId} and not outbound and ${onNumbers(only)}
        and started_at >= greatest(h, ${from}) and started_at < least(h + interval '1 hour', ${to})
      offset 0) c
    group by 1`.execute(tx);
  return rows;
}

const onNumbers = (only: readonly number[] | null) =>
  only === null ? sql`true` : sql`number_id = any (${[...only]}::bigint[])`;
