import {
  durationBuckets,
  isTimeGroup,
  noneKey,
  outcomeOfAnswer,
  type CallGroup,
  type CallTarget,
  type TimeGroup,
} from '#contract/analytics/call-analytics/rules';
import type { CallFigures, CallReportRow } from '#contract/analytics/call-analytics/schemas';
import { formatPhone } from '#contract/phone';
import { noSums, type Counted, type CountedRow } from './count-calls.ts';
import { dayAfter, daysIn, type Question } from './question.ts';
import type { Sums } from './store-figures-of-calls.ts';

const oneDecimal = (n: number) => Math.round(n * 10) / 10;
const average = (sum: number, n: number) => (n ? Math.round(sum / n) : 0);

/** Percent answered of the calls that weren’t blocked, with one decimal; null: there were none. */
const answerRate = ({ calls, blocked, answered }: Sums): number | null =>
  // Shares of credit never add up exactly.
  calls - blocked < 0.00005 ? null : Math.round((1000 * answered) / (calls - blocked)) / 10;

/** Sums as the figures that are shown. */
export const figuresOf = (sums: Sums, withoutCallers = false): CallFigures => ({
  calls: oneDecimal(sums.calls),
  answered: oneDecimal(sums.answered),
  missed: oneDecimal(sums.missed),
  voicemail: oneDecimal(sums.voicemail),
  blocked: oneDecimal(sums.blocked),
  answer_rate: answerRate(sums),
  unique: withoutCallers ? null : sums.unique,
  first_time: oneDecimal(sums.first_time),
  duration: Math.round(sums.talk),
  avg_duration: average(sums.answered_talk, sums.answered),
  avg_ring: average(sums.answered_ring, sums.answered),
  qualified: oneDecimal(sums.qualified),
  leads: oneDecimal(sums.leads),
  value: Math.round(sums.value),
});

const targets: Record<CallTarget, (sums: Sums) => number | null> = {
  calls: (sums) => oneDecimal(sums.calls),
  duration: (sums) => Math.round(sums.talk),
  unique: (sums) => sums.unique,
  answer_rate: answerRate,
  qualified: (sums) => oneDecimal(sums.qualified),
  leads: (sums) => oneDecimal(sums.leads),
  value: (sums) => Math.round(sums.value),
};

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const twoDigits = (n: number) => String(n).padStart(2, '0');

/** What the database calls a point, as keys say it. */
export const keyOf = (group: CallGroup, key: string | null): string =>
  key === null
    ? noneKey
    : group === 'month'
      ? key.slice(0, 7)
      : group === 'hour'
        ? twoDigits(Number(key))
        : group === 'outcome'
          ? (Object.entries(outcomeOfAnswer).find(([, n]) => n === Number(key))?.[0] ?? key)
          : key;

const sentence = (word: string) =>
  `${word.charAt(0).toUpperCase()}${word.slice(1)}`.replaceAll('_', ' ');

/** The name of a row, for those whose key names them; null: no name was found. */
export function labelOf(group: CallGroup, key: string, label: string | null): string {
  if (key === noneKey) return 'None';
  switch (group) {
    case 'none':
      return 'All calls';
    case 'hour':
      return `${key}:00`;
    case 'weekday':
      return weekdays[Number(key)] ?? key;
    case 'duration_bucket':
      return `Over ${key} seconds`;
    case 'outcome':
      return key === 'running' ? 'In progress' : sentence(key);
    case 'department':
    case 'sentiment':
      return sentence(key);
    case 'number':
    case 'forward':
      return label?.startsWith('+') ? formatPhone(label) : (label ?? key);
    default:
      return label ?? key;
  }
}

/** A name that says whose it is, where several companies have such things. */
export const labelIn = (company: string | null, label: string): string =>
  company === null ? label : `${label}, ${company}`;

/** Every point of a group of time within the range, in its order. */
export function pointsOf(group: TimeGroup, range: Question['range']): string[] {
  if (group === 'hour') return Array.from({ length: 24 }, (_, n) => twoDigits(n));
  if (group === 'weekday') return weekdays.map((_, n) => String(n));
  const days = Array.from({ length: daysIn(range) }, (_, n) => dayAfter(range.start, n));
  if (group === 'day') return days;
  if (group === 'month') return [...new Set(days.map((day) => day.slice(0, 7)))];
  return [...new Set(days.map((day) => dayAfter(day, -new Date(`${day}T00:00:00Z`).getUTCDay())))];
}

/** A row as it is shown, with its sums. */
export interface ShownRow {
  row: CallReportRow;
  sums: Sums;
}

/**
 * All rows: those of time in its order and without gaps, durations from the shortest, others with
 * the most of the target first.
 */
export function presentRows({ rows, total }: Counted, question: Question): ShownRow[] {
  const { group, series, target, range, withoutCallers } = question;
  const valueOf = targets[target];
  const shown = new Map<string, ShownRow>();
  const add = (key: string, { label, company, sums, points }: Omit<CountedRow, 'key'>) => {
    const inTime =
      series &&
      seriesOf(series, range, points).map((point) => ({
        key: point.key,
        value: valueOf(point.sums),
      }));
    const row = {
      key,
      label: labelIn(company, labelOf(group, key, label)),
      value: valueOf(sums),
      figures: figuresOf(sums, withoutCallers),
      ...(inTime && { series: inTime }),
    };
    shown.set(key, { row, sums });
  };
  if (group === 'none')
    add('all', {
      label: null,
      company: null,
      sums: total,
      points: rows.get('all')?.points ?? new Map(),
    });
  else for (const row of rows.values()) add(keyOf(group, row.key), row);
  const fixed = isTimeGroup(group)
    ? pointsOf(group, range)
    : group === 'duration_bucket'
      ? durationBuckets.map(String)
      : [];
  for (const key of fixed)
    if (!shown.has(key))
      add(key, { label: null, company: null, sums: noSums(), points: new Map() });
  const all = [...shown.values()];
  return fixed.length
    ? all.toSorted((a, b) => fixed.indexOf(a.row.key) - fixed.indexOf(b.row.key))
    : all.toSorted(
        (a, b) =>
          (b.row.value ?? -1) - (a.row.value ?? -1) ||
          a.row.label.localeCompare(b.row.label, 'en') ||
          (a.row.key < b.row.key ? -1 : 1),
      );
}

const seriesOf = (series: TimeGroup, range: Question['range'], points: Map<string, Sums>) => {
  const byKey = new Map([...points].map(([key, sums]) => [keyOf(series, key), sums]));
  return pointsOf(series, range).map((key) => ({ key, sums: byKey.get(key) ?? noSums() }));
};
