import { sql, type RawBuilder } from 'kysely';
import type { CallGroup, TimeGroup } from '#contract/analytics/call-analytics/rules';
import type { Question } from './question.ts';
import { isCountedLater, type RollupQuestion } from './rollup-question.ts';
import type { Known } from './store-known.ts';

type Sql = RawBuilder<unknown>;

/** Which of a company’s sums are read, as SQL: another time zone begins another edition. */
export interface RollupRead extends RollupQuestion {
  edition: Sql;
}
interface Asked {
  companyId: Known<number>;
  organizationId: Known<number | null>;
  question: Question;
  /** What rows are told apart by. */
  group: CallGroup;
}

/**
 * The edition of a company’s sums in which all of a question’s days are counted, where it has at least
 * `fewest` calls in them, as a query; none: they aren’t counted, or by the days of another time zone.
 */
export function whereAddedUp(
  companyId: number,
  { tz, range }: Pick<Question, 'tz' | 'range'>,
  { dimension, spans, lastDay }: Pick<RollupQuestion, 'dimension' | 'spans' | 'lastDay'>,
  fewest: number,
): Sql {
  // All calls, however many keys of the dimension one has.
  const of = { dimension: 0, keys: [], outbound: null, spans, lastDay };
  const all = sumsIn(companyId, { tz, range }, of, sql`s.edition`, ['calls']);
  return sql`select s.edition from call_rollup_company s
    where s.company_id = ${companyId} and s.timezone = ${tz} and ${isCounted('s', dimension, range)}
      and (select coalesce(sum(calls), 0) from (${all}) n) >= ${fewest}::float8`;
}

/** Whether a range is counted by a dimension, of the company’s row under a name, as SQL. */
export const isCounted = (
  company: string,
  dimension: number,
  { start }: Pick<Question['range'], 'start'>,
): Sql => {
  const from = isCountedLater(dimension) ? 'more_counted_from' : 'counted_from';
  return sql`${sql.ref(`${company}.${from}`)} <= ${start}::date`;
};

/** Sums of calls by day, or month where the question has them, as a query. */
function sumsIn(
  companyId: Known<number>,
  { tz, range }: Pick<Question, 'tz' | 'range'>,
  { dimension, keys, outbound, spans, lastDay }: RollupQuestion,
  edition: Sql,
  columns: readonly string[],
): Sql {
  const wanted = sql.join(
    [
      ...(outbound === null ? [] : [sql`outbound = ${outbound}`]),
      ...keys.map((some) => sql`key = any(${[...some]}::text[])`),
      sql`true`,
    ],
    sql` and `,
  );
  const select = sql`select day, key, label, ${sql.join(columns.map((name) => sql.ref(name)))}`;
  const counted = spans.map(
    ({ byMonth, from, to }) => sql`${select} from call_rollup
      where company_id = ${companyId} and edition = ${edition}
        and dimension = ${sql.lit(dimension)}::smallint and by_month = ${byMonth}
        and day >= ${from}::date and day <= ${to}::date and ${wanted}`,
  );
  const pending = sql`${select}
    from pending_call_rollup(${companyId}, ${sql.lit(dimension)}::smallint, ${tz})
    where day >= ${range.start}::date and day <= ${lastDay}::date and ${wanted}`;
  const rest = range.until
    ? [
        sql`${select}
          from counted_call_rollup(${companyId}, ${sql.lit(dimension)}::smallint, ${tz},
            ${range.end}::date::timestamp at time zone ${tz},
            (${range.end}::date + ${range.until}::time) at time zone ${tz})
          where ${wanted}`,
      ]
    : [];
  return sql.join([...counted, pending, ...rest], sql` union all `);
}

/** What a row of sums is of, in a group. */
function keyOf({ group, companyId, organizationId }: Asked, dimension: number): Sql {
  switch (group) {
    case 'none':
      return sql`'all'`;
    case 'company':
      return sql`${companyId}::text`;
    case 'business_unit':
      return sql`${organizationId}::text`;
    case 'day':
    case 'week':
    case 'month':
    case 'weekday':
      return pointOf(group);
    default:
      return dimension === 0 ? sql`null::text` : sql`nullif(key, '')`;
  }
}

/** The point of sums in a group of time, as `timeKey` says it of calls. */
export function pointOf(series: TimeGroup | null): Sql {
  switch (series) {
    case null:
      return sql`null::text`;
    case 'day':
      return sql`day::text`;
    case 'week':
      return sql`(day - extract(dow from day)::int)::text`;
    case 'month':
      return sql`date_trunc('month', day::timestamp)::date::text`;
    case 'weekday':
      return sql`extract(dow from day)::int::text`;
    case 'hour':
      return sql`key`;
  }
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/**
 * Sums by key and point that were added up as calls came and changed, and of those that aren’t yet:
 * what `figuresOfCalls` counts call by call.
 */
export function addedUp(
  asked: Asked,
  rollup: RollupRead,
  series: TimeGroup | null,
  names: readonly string[],
): Sql {
  const stored = names.filter((name) => !weekdays.includes(name));
  const rows = sumsIn(asked.companyId, asked.question, rollup, rollup.edition, stored);
  // A float adds up faster than a numeric, and exactly up to 2^53.
  const sumOf = (name: string) => {
    const weekday = weekdays.indexOf(name);
    return weekday < 0
      ? sql`sum(${sql.ref(name)}::float8) ${sql.ref(name)}`
      : sql`coalesce(sum(calls::float8) filter (where extract(dow from day) = ${sql.lit(weekday)}),
          0) ${sql.ref(name)}`;
  };
  const again = sql.join(names.map((name) => sql`sum(${sql.ref(name)}) ${sql.ref(name)}`));
  // A call that changed its source’s name leaves nothing of the old one.
  const label = asked.group === 'source' ? sql`nullif(max(label), '')` : sql`null::text`;
  return sql`select key, point, ${label} label, ${again}
    from (select ${keyOf(asked, rollup.dimension)} key, ${pointOf(series)} point, label,
        ${sql.join(names.map(sumOf))}
      from (${rows}) r
      group by 1, 2, label having sum(calls) <> 0) k
    group by key, point`;
}
