import {
  callTargets,
  isTimeGroup,
  type CallTarget,
} from '#contract/analytics/call-analytics/rules';
import type { CallFigures } from '#contract/analytics/call-analytics/schemas';
import { formatDuration } from '#contract/duration';
import { countText } from '../mail-parts.ts';
import type { ShownRow } from '../query/present.ts';
import type { Question, Range } from '../query/question.ts';
import type { GatheredReport } from './gather-report.ts';
import type { ReportChart, ReportDocument } from './render-document.ts';
import { figureNames, figureText, groupName } from './report-words.ts';

/** Rows on paper; a CSV file has all. */
export const MOST_PDF_ROWS = 500;
/** Bars below one another. */
const MOST_BARS = 10;

const columnsOf = (target: CallTarget): [title: string, text: (f: CallFigures) => string][] => [
  ['Calls', (f) => countText(f.calls)],
  ['Answered', (f) => countText(f.answered)],
  ['Missed', (f) => countText(f.missed)],
  ['Answer rate', (f) => figureText('answer_rate', f.answer_rate)],
  ['Unique', (f) => figureText('unique', f.unique)],
  ['Qualified', (f) => countText(f.qualified)],
  target === 'value'
    ? ['Value', (f) => figureText('value', f.value)]
    : ['Leads', (f) => countText(f.leads)],
  ['Talk time', (f) => formatDuration(f.duration)],
];

/** What a report says on paper. */
export function documentOf(report: GatheredReport, title: string): ReportDocument {
  const { question, compared, of, words, totals, before, at } = report;
  const { group, target, range, tz } = question;
  const columns = columnsOf(target);
  const shown = report.rows.slice(0, MOST_PDF_ROWS);
  const lines = shown.map(({ row }) => [
    rowName(question, row),
    ...columns.map(([, text]) => text(row.figures)),
  ]);
  const left = report.rows.length - shown.length;
  return {
    title,
    facts: [
      [question.businessUnitIds.length ? 'Organization' : 'Company', of],
      ['Period', rangeText(range)],
      ['Compared with', rangeText(compared)],
      ['Time zone', tz],
      ['Calls', words.join(', ')],
      [
        'Counted',
        at.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: tz }),
      ],
    ],
    figures: callTargets.map((one) => ({
      name: figureNames[one],
      value: figureText(one, totals[one]),
      change: changeOf(one, totals[one], before[one]),
    })),
    chart: chartOf(question, report.rows),
    columns: [groupName(group), ...columns.map(([name]) => name)],
    rows: lines,
    totals: ['All calls', ...columns.map(([, text]) => text(totals))],
    more:
      left > 0 ? `${countText(left)} more rows aren’t printed. The CSV file has all of them.` : '',
    at,
  };
}

const date = (day: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(
    new Date(`${day}T00:00:00Z`),
  );
const dayText = (day: string): string => date(day, { dateStyle: 'medium' });
const rangeText = ({ start, end }: Range): string =>
  start === end ? dayText(start) : `${dayText(start)} to ${dayText(end)}`;

const rowName = ({ group }: Question, { key, label }: ShownRow['row']): string => {
  if (group === 'day')
    return date(key, { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
  if (group === 'week') return `Week of ${dayText(key)}`;
  return group === 'month' ? date(`${key}-01`, { month: 'long', year: 'numeric' }) : label;
};
const pointName = (question: Question, row: ShownRow['row']): string =>
  ['day', 'week'].includes(question.group)
    ? date(row.key, { month: 'short', day: 'numeric' })
    : rowName(question, row);

/** How a figure stands against the one before: `50% more`, `3 points less`. */
function changeOf(target: CallTarget, now: number | null, was: number | null): string {
  if (now === null || was === null) return '';
  const difference = Math.round((now - was) * 10) / 10;
  if (difference === 0) return 'As before';
  const percent = Math.abs(Math.round((100 * difference) / was));
  const size =
    target === 'answer_rate'
      ? `${countText(Math.abs(difference))} points`
      : was === 0
        ? figureText(target, Math.abs(difference))
        : percent === 0
          ? 'Under 1%'
          : `${countText(percent)}%`;
  return `${size} ${difference > 0 ? 'more' : 'less'} than before`;
}

/** The target along time, or of the rows with the most; null: of nothing. */
function chartOf(question: Question, rows: readonly ShownRow[]): ReportChart | null {
  const { group, target } = question;
  const kind = isTimeGroup(group) ? 'columns' : 'bars';
  const drawn = kind === 'columns' ? rows : rows.slice(0, MOST_BARS);
  const points = drawn.map(({ row }) => ({
    name: pointName(question, row),
    value: Math.max(0, row.value ?? 0),
    text: figureText(target, row.value),
  }));
  const highest = points.toSorted((a, b) => b.value - a.value)[0];
  if (group === 'none' || !highest || highest.value === 0) return null;
  const name = figureNames[target];
  const by = `${name} by ${groupName(group).toLowerCase()}`;
  const isPart = kind === 'bars' && rows.length > points.length;
  return {
    title: isPart ? `${by}, first ${points.length}` : by,
    kind,
    points,
    alt:
      kind === 'columns'
        ? `Column chart: ${by}. Highest: ${highest.text}, ${highest.name}.`
        : `Bar chart: ${by}. ${points.map((one) => `${one.name}: ${one.text}`).join(', ')}.`,
  };
}
