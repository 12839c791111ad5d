import { sql, type RawBuilder } from 'kysely';
import { overlappingGroups } from '#contract/analytics/call-analytics/rules';
import { prepared, type Tx } from '../../../platform/db.ts';
import type { Question } from './question.ts';
import { dimensionOf } from './store-dimensions.ts';
import { passes } from './store-filters.ts';
import type { Known } from './store-known.ts';
import type { RollupQuestion } from './rollup-question.ts';
import { addedUp, whereAddedUp, type RollupRead } from './store-rollups.ts';

type Sql = RawBuilder<unknown>;

/** Sums of calls, each of which can be added up; with credit, in ten-thousandths. */
export const summed = [
  ...(['calls', 'answered', 'missed', 'voicemail', 'blocked', 'first_time'] as const),
  ...(['talk', 'answered_talk', 'answered_ring', 'qualified', 'leads', 'value'] as const),
  'unique',
] as const;
/** Further sums, of the columns of files. */
export const spread = [
  ...(['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const),
  ...(['over_30', 'over_90', 'over_120', 'over_300'] as const),
] as const;
export type Sums = Record<(typeof summed)[number], number> &
  Partial<Record<(typeof spread)[number], number>>;

/** What a source gets for a call; all of a call sum to 10,000. */
export interface Credit {
  callId: number;
  sourceKey: string;
  sourceLabel: string;
  campaign: string | null;
  basisPoints: number;
}
/** What a row of the answer is of: a row, a point of one, or all calls. */
type Part = 'row' | 'point' | 'total';
export interface FiguresRow extends Sums {
  part: Part;
  /** Only `unique` is said; otherwise everything else. */
  callers: boolean;
  /** null: calls without such a fact. */
  key: string | null;
  label: string | null;
  at: string | null;
}
/**
 * Of which calls, and how they are summed. In a statement on several companies these facts are
 * columns of theirs.
 */
export interface CallsAsked<C = number, O = number | null, N = readonly number[] | null> {
  companyId: C;
  organizationId: O;
  /** Numbers of a person who is limited to some; null: all. */
  only: N;
  from: Sql;
  to: Sql;
  question: Question;
  /** Null: without attribution. Calls that aren't in it belong to no source. */
  credits: readonly Credit[] | null;
  /** Also by weekday and duration. */
  isSpread: boolean;
}
/** The same as it is said in SQL: of one company, or as columns; `only` is a condition. */
type CallsSaid = CallsAsked<Known<number>, Known<number | null>, Sql>;

/**
 * Sums by key, or with a series by key and point, and callers of each key, of all, and of each point
 * where they are the target. Sums of all calls are there only where a call can have several keys. In
 * one statement, so that they are of the same moment.
 */
export async function figuresOfCalls(tx: Tx, asked: CallsAsked): Promise<FiguresRow[]> {
  const said = { ...asked, only: onNumbers(asked.only) };
  const { rows } = await sql<FiguresRow>`${figuresQuery(said, null)}`.execute(tx);
  return rows;
}

/**
 * The same, but callers, from calls that were added up. Null: they aren't by the days of the
 * question's zone, or there are fewer than `fewest` in these days, which are counted one by one. One
 * statement, so that no other zone comes between choosing and reading.
 */
export async function figuresAddedUp(
  tx: Tx,
  asked: CallsAsked,
  rollup: RollupQuestion,
  fewest: number,
): Promise<FiguresRow[] | null> {
  const said = { ...asked, only: onNumbers(asked.only) };
  const { question, companyId } = asked;
  // The same text for the same kind of question, whose days change: planning takes longer than reading them.
  // Different callers and a part of a day are counted call by call, which days decide how.
  const kept = question.withoutCallers && !question.range.until ? prepared : sql``;
  const { rows } = await sql<FiguresRow | { [K in keyof FiguresRow]: null }>`${kept}
    with counted as materialized (${whereAddedUp(companyId, question, rollup, fewest)})
    select r.* from counted c
    left join lateral (${figuresQuery(said, { ...rollup, edition: sql.ref('c.edition') })}) r
      on true`.execute(tx);
  return rows.length === 0 ? null : rows.filter((row): row is FiguresRow => row.part !== null);
}

/** What `figuresOfCalls` asks, as a query. `rollup`: all but callers is read from there. */
export function figuresQuery(asked: CallsSaid, rollup: RollupRead | null): Sql {
  const { group, series, target, withoutCallers } = asked.question;
  const callers = [
    ...(group === 'none' ? [] : [select(asked, 'row', true)]),
    ...(series && target === 'unique' ? [select(asked, 'point', true)] : []),
    select(asked, 'total', true),
  ];
  const parts = [
    select(asked, series ? 'point' : 'row', false, rollup),
    ...(overlappingGroups.has(group)
      ? [select(asked, 'total', false, rollup && ofAll(rollup))]
      : []),
    ...(withoutCallers ? [] : callers),
  ];
  return sql.join(parts, sql` union all `);
}

/** The same days, of all calls: those of a group in which a call can have several keys. */
const ofAll = (rollup: RollupRead): RollupRead => ({ ...rollup, dimension: 0 });

function select(
  asked: CallsSaid,
  part: Part,
  callers: boolean,
  rollup: RollupRead | null = null,
): Sql {
  const { companyId, organizationId, credits, question, isSpread } = asked;
  const frame = { tz: question.tz, companyId, organizationId, isAttributed: credits !== null };
  const by = dimensionOf(part === 'total' ? 'none' : question.group, frame);
  const series = part === 'point' ? question.series : null;
  const point = series ? dimensionOf(series, frame).key : sql`null::text`;
  const names = [...summed.filter((name) => name !== 'unique'), ...(isSpread ? spread : [])];
  const from = sql`from call c ${creditJoin(credits)} ${by.join ?? sql``}
    where c.company_id = ${companyId} and c.started_at >= ${asked.from}
      and c.started_at < ${asked.to} and ${asked.only}
      and ${passes(question.filters, frame)}`;
  const head = sql`select ${sql.lit(part)} part, ${sql.lit(callers)} callers, key::text "key"`;
  // By position: an expression with parameters is another one each time it is written.
  if (!callers)
    return sql`${head}, label "label", point::text "at",
      ${sql.join(names.map((name) => sql.ref(name)))}, 0::float8 "unique"
      from (${
        rollup
          ? addedUp(
              { ...asked, group: part === 'total' ? 'none' : question.group },
              rollup,
              series,
              names,
            )
          : sql`select ${by.key} key, ${point} point,
          ${by.label ? sql`max(${by.label})` : sql`null::text`} label,
          ${sql.join(names.map((name) => sql`${sumOf(name, frame)} ${sql.ref(name)}`))}
        ${from} group by 1, 2`
      }) p`;
  // Grouped twice: `count(distinct)` would sort all calls.
  return sql`${head}, null::text "label", point::text "at",
      ${sql.join(names.map((name) => sql`0::float8 ${sql.ref(name)}`))}, count(*)::float8 "unique"
    from (select ${by.key} key, ${point} point ${from} group by 1, 2, c.party) p
    group by key, point`;
}

const onNumbers = (only: readonly number[] | null) =>
  only === null ? sql`true` : sql`c.number_id = any(${[...only]}::bigint[])`;

const creditJoin = (credits: readonly Credit[] | null): Sql =>
  credits === null
    ? sql``
    : sql`left join unnest(${credits.map(({ callId }) => callId)}::bigint[],
        ${credits.map(({ sourceKey }) => sourceKey)}::text[],
        ${credits.map(({ sourceLabel }) => sourceLabel)}::text[],
        ${credits.map(({ campaign }) => campaign)}::text[],
        ${credits.map(({ basisPoints }) => basisPoints)}::int[])
        credit (call_id, source_key, source_label, campaign, basis_points) on credit.call_id = c.id`;

const isOutcome = (outcome: number) => sql`c.outcome = ${sql.lit(outcome)}`;
const [answered, missed, voicemail, blocked] = [1, 2, 3, 4].map(isOutcome);
const counted: Partial<Record<keyof Sums, Sql | undefined>> = {
  calls: sql`true`,
  answered,
  missed,
  voicemail,
  blocked,
  first_time: sql`c.first_contact`,
  qualified: sql`c.qualified`,
  leads: sql`c.lead`,
  over_30: sql`c.talk_seconds > 30`,
  over_90: sql`c.talk_seconds > 90`,
  over_120: sql`c.talk_seconds > 120`,
  over_300: sql`c.talk_seconds > 300`,
};
const added: Partial<Record<keyof Sums, Sql>> = {
  talk: sql`c.talk_seconds`,
  answered_talk: sql`case when ${isOutcome(1)} then c.talk_seconds else 0 end`,
  answered_ring: sql`case when ${isOutcome(1)} then c.ring_seconds else 0 end`,
  value: sql`coalesce(c.value_cents, 0)`,
};

/** One sum; a float counts exactly up to 2^53, and is added up faster than a numeric. */
function sumOf(name: keyof Sums, { tz, isAttributed }: { tz: string; isAttributed: boolean }): Sql {
  const share = isAttributed ? sql`coalesce(credit.basis_points, 10000)` : sql`1`;
  const amount = added[name];
  if (amount) return sql`sum((${amount})::float8 * ${share})`;
  const weekday = spread.indexOf(name as (typeof spread)[number]);
  const is =
    counted[name] ?? sql`extract(dow from c.started_at at time zone ${tz}) = ${sql.lit(weekday)}`;
  return isAttributed
    ? sql`coalesce(sum(${share}) filter (where ${is}), 0)::float8`
    : sql`count(*) filter (where ${is})::float8`;
}

/** The moments of a range, as SQL: from its first day's beginning to before the end. */
export const spanOf = (
  { start, end, until }: Question['range'],
  tz: string,
): { from: Sql; to: Sql } => ({
  from: sql`${start}::date::timestamp at time zone ${tz}`,
  to: until
    ? sql`(${end}::date + ${until}::time) at time zone ${tz}`
    : sql`(${end}::date + 1)::timestamp at time zone ${tz}`,
});
