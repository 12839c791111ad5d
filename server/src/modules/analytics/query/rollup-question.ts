import {
  outcomeOfAnswer,
  type CallGroup,
  type TimeGroup,
} from '#contract/analytics/call-analytics/rules';
import { dayAfter, needsCredit, type Question, type Range } from './question.ts';

/** By what calls are added up, as the database numbers it (357_more_call_rollups.sql). */
const dimensions = {
  nothing: 0,
  number: 1,
  user: 2,
  source: 3,
  campaign: 4,
  outcome: 5,
  hour: 6,
  state: 7,
  tag: 8,
  sentiment: 9,
  phrase_list: 10,
} as const;
type Dimension = keyof typeof dimensions;

const dimensionOfGroup: Partial<Record<CallGroup, Dimension>> = {
  none: 'nothing',
  day: 'nothing',
  week: 'nothing',
  month: 'nothing',
  weekday: 'nothing',
  company: 'nothing',
  business_unit: 'nothing',
  hour: 'hour',
  number: 'number',
  user: 'user',
  source: 'source',
  campaign: 'campaign',
  outcome: 'outcome',
  geo_state: 'state',
  tag: 'tag',
  sentiment: 'sentiment',
  phrase_list: 'phrase_list',
};

type Filters = Question['filters'];
/** Filters of a dimension’s keys, by their names. */
const filtersOfKeys = {
  number_ids: ['number', String],
  user_ids: ['user', String],
  sources: ['source', String],
  campaigns: ['campaign', String],
  answer_status: ['outcome', (name: keyof typeof outcomeOfAnswer) => String(outcomeOfAnswer[name])],
  geo_states: ['state', String],
  sentiments: ['sentiment', String],
} as const satisfies Partial<Record<keyof Filters, readonly [Dimension, (value: never) => string]>>;
const isOfKeys = (name: string): name is keyof typeof filtersOfKeys => name in filtersOfKeys;

/** The first dimension that was added to those of `call_rollup_company.counted_from`. */
const firstCountedLater = dimensions.state;
/** Whether sums of a dimension are there from `more_counted_from` on. */
export const isCountedLater = (dimension: number): boolean => dimension >= firstCountedLater;

/** What sums answer a question: of one dimension, and of these keys of it (each list limits them). */
export interface RollupQuestion {
  dimension: number;
  keys: readonly (readonly string[])[];
  /** Both null: of calls in either direction. */
  outbound: boolean | null;
  spans: readonly Span[];
  /** The last of the whole days; the part of a day behind it is counted. */
  lastDay: string;
}
/** Days from one to another, both included; or whole months, by their first days. */
export interface Span {
  byMonth: boolean;
  from: string;
  to: string;
}

/**
 * How calls that were added up answer a question; null: they don’t, because it asks by a
 * model, or for what no sums are kept of. `only`: numbers of a person who is limited to
 * some.
 */
export function rollupQuestion(
  question: Question,
  only: readonly number[] | null,
  isSpread: boolean,
): RollupQuestion | null {
  const { group, series, filters, range } = question;
  if (needsCredit(question)) return null;
  const lastDay = lastWholeDay(range);
  const { direction, ...others } = filters;
  const needed = new Set<Dimension | undefined>([dimensionOfGroup[group]]);
  if (series) needed.add(dimensionOfGroup[series]);
  const keys: string[][] = [];
  if (only) {
    needed.add('number');
    keys.push(only.map(String));
  }
  for (const [name, value] of Object.entries(others)) {
    if (value === undefined) continue;
    if (!isOfKeys(name)) return null;
    const [dimension, keyOf] = filtersOfKeys[name];
    needed.add(dimension);
    // Each filter’s values are those of its function, which the compiler can’t follow here.
    keys.push((value as never[]).map(keyOf));
  }
  needed.delete('nothing');
  const [one = 'nothing', ...more] = needed;
  if (needed.has(undefined) || more.length) return null;
  return {
    dimension: dimensions[one],
    keys,
    outbound: direction === 'all' ? null : direction === 'outbound',
    spans: spansOf({ ...range, end: lastDay }, isSpread || [group, series].some(needsDays)),
    lastDay,
  };
}

/** Whether a group has rows within a month. */
export const needsDays = (group: CallGroup | TimeGroup | null): boolean =>
  group === 'day' || group === 'week' || group === 'weekday';

/** The last day of a range that isn’t cut at a time of day. */
export const lastWholeDay = ({ end, until }: Range): string => (until ? dayAfter(end, -1) : end);

const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;
const nextMonth = (first: string): string => firstOfMonth(dayAfter(first, 31));

/** Whole months of a range and the days at its ends; or days alone. */
export function spansOf({ start, end }: Range, isByDay: boolean): Span[] {
  if (start > end) return [];
  const first = start.endsWith('-01') ? start : nextMonth(firstOfMonth(start));
  const after = firstOfMonth(dayAfter(end, 1));
  if (isByDay || first >= after) return [{ byMonth: false, from: start, to: end }];
  const days = [
    { byMonth: false, from: start, to: dayAfter(first, -1) },
    { byMonth: false, from: after, to: end },
  ];
  return [
    { byMonth: true, from: first, to: firstOfMonth(dayAfter(after, -1)) },
    ...days.filter(({ from, to }) => from <= to),
  ];
}
