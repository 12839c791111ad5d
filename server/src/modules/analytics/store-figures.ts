import { sql, type RawBuilder } from 'kysely';
import { prepared, type Tx } from '../../platform/db.ts';

/** Days of a zone, both included; `until` cuts the last of them at a local time such as 14:30:00. */
interface Days {
  start: string;
  end: string;
  tz: string;
  until?: string | undefined;
}
/** How a series names its points, by days or hours of the zone. */
export type Format = 'YYYY-MM-DD' | 'YYYY-MM-DD"T"HH24":00"';
/**
 * The moments from `from` to before `to`. `split` are the beginnings of those UTC hours of which
 * only a part belongs to one day (or hour) of the zone: they are counted call by call.
 */
export interface Period {
  from: Date;
  to: Date;
  split: Date[];
}

/** The moments of these days; with a format, split so that each of its points is exact. */
export async function periodOf(
  tx: Tx,
  { start, end, tz, until }: Days,
  format: Format | null,
): Promise<Period> {
  const last = until ? sql`(${end}::date + ${until}::time)` : sql`(${end}::date + 1)::timestamp`;
  const inner: Record<Format, RawBuilder<unknown>> = {
    'YYYY-MM-DD': sql`select d at time zone ${tz} from generate_series(
      ${start}::date::timestamp, ${end}::date::timestamp, '1 day') d`,
    'YYYY-MM-DD"T"HH24":00"': sql`select t from generate_series(
        (select a from edge), (select b from edge), '15 minutes') t
      where date_part('minute', t at time zone ${tz}) = 0`,
  };
  const { rows } = await sql<{ from: Date; to: Date; split: Date[] | null }>`${prepared}
    with edge as (select ${start}::date::timestamp at time zone ${tz} a,
        ${last} at time zone ${tz} b),
      cut (at) as (select a from edge union select b from edge
        ${format === null ? sql`` : sql`union ${inner[format]}`})
    select a "from", b "to", (select array_agg(distinct date_bin('1 hour', at, 'epoch')) from cut
      where at >= a and at <= b and date_bin('1 hour', at, 'epoch') <> at) split from edge`.execute(
    tx,
  );
  const [{ from, to, split }] = rows as [{ from: Date; to: Date; split: Date[] | null }];
  return { from, to, split: split ?? [] };
}

/** What is counted; all of it can be added up. */
export const counted = [
  ...(['calls', 'answered', 'missed', 'voicemail', 'blocked', 'first_time'] as const),
  ...(['talk_seconds', 'answered_talk_seconds', 'answered_ring_seconds'] as const),
  ...(['qualified', 'leads', 'texts_in', 'texts_out'] as const),
];
export type Sums = Record<(typeof counted)[number], number>;

/**
 * The sums of the period's whole hours on these numbers (null: all) by points of the zone (without
 * a format: one, named ''). Points without calls and texts may be missing.
 */
export async function sumsOfHours(
  tx: Tx,
  companyId: number,
  { from, to, split }: Period,
  { tz, format, only }: { tz: string; format: Format | null; only: readonly number[] | null },
): Promise<Map<string, Sums>> {
  const columns = sql.join(counted.map((name) => sql.ref(name)));
  // Sums of bigint are numeric, which is dear; a float counts seconds exactly up to 2^53.
  const sums = sql.join(
    counted.map((name) =>
      name.endsWith('_seconds')
        ? sql`sum(${sql.ref(name)}::float8) ${sql.ref(name)}`
        : sql`sum(${sql.ref(name)})::float8 ${sql.ref(name)}`,
    ),
  );
  const [changed, settled] =
    only === null
      ? [sql`true`, sql`number_id = 0`]
      : [0, 1].map(() => sql`number_id = any (${[...only]}::bigint[])`);
  const within = sql`company_id = ${companyId} and hour >= date_bin('1 hour', ${from}::timestamptz, 'epoch')
    and hour < ${to} and hour <> all (${split}::timestamptz[])`;
  const { begin, point, name } = pointOf(format, { from, to, tz });
  // Points are named once each, not once an hour: naming is dearer than adding up.
  const { rows } = await sql<Sums & { at: string }>`${prepared}
    ${begin}select ${name} at, ${sums} from (
      select ${point} point, ${columns} from figure_hour where ${settled} and ${within}
      union all
      select ${point} point, ${columns} from figure_change where ${changed} and ${within}) h
    group by point`.execute(tx);
  return new Map(rows.map(({ at: point, ...rest }) => [point, rest]));
}

/** The point of an `hour`, what the statement begins with to know it, and its name. */
function pointOf(format: Format | null, { from, to, tz }: Omit<Period, 'split'> & { tz: string }) {
  const nothing = sql``;
  if (format === null) return { begin: nothing, point: sql`''`, name: sql`point` };
  if (format !== 'YYYY-MM-DD')
    return {
      begin: nothing,
      point: sql`date_trunc('hour', hour at time zone ${tz})`,
      name: sql`to_char(point, ${format})`,
    };
  // A day is looked up among the days' beginnings: a zone's rules are dear to apply to each hour.
  const days = sql`(select days from zone)`;
  return {
    begin: sql`with zone as materialized (select array(select d at time zone ${tz}
      from generate_series((${from}::timestamptz at time zone ${tz})::date::timestamp,
        ${to}::timestamptz at time zone ${tz}, '1 day') d) days) `,
    point: sql`width_bucket(hour, ${days})`,
    name: sql`to_char((${days})[point] at time zone ${tz}, ${format})`,
  };
}

/** Adds up to `most` changes to their hours, of all companies; returns how many were there. */
export async function foldFigures(tx: Tx, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select fold_figures(${most}) n`.execute(tx);
  return rows[0]?.n ?? 0;
}
