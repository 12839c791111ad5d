import {
  isTimeGroup,
  type CallGroup,
  type CallTarget,
} from '#contract/analytics/call-analytics/rules';
import type { CallFigures, CallReportRow } from '#contract/analytics/call-analytics/schemas';
import { escapeHtml } from '../../../platform/html.ts';
import { callsText, columnChart, countText, dayText, periodText, rateText } from '../mail-parts.ts';
import type { Question } from '../query/question.ts';
import { figureNames, figureText, groupName, rowName } from '../report-files/report-words.ts';
import type { DueReport } from './store.ts';

/** Rows of an email; the report behind its link has all. */
const MOST_ROWS = 31;
/** Columns that fit on a telephone. */
const MOST_COLUMNS = 12;

const periodBeforeText = {
  daily: 'the day before',
  weekly: 'the week before',
  monthly: 'the month before',
};

interface Counted {
  rows: readonly CallReportRow[];
  totals: CallFigures;
  /** Of the period before. */
  before: CallFigures;
  url: string;
  /** Opens it without an account, and until which day; null: its reader has one. */
  view: { url: string; until: string } | null;
  /** Where its reader stops it. */
  stop: string;
  /** About the file that comes along; empty: none does. */
  attached: string;
}

/** The email of a report: a sentence against the period before, a chart, its rows and a link. */
export function renderReport(
  due: Pick<DueReport, 'name' | 'company' | 'user' | 'frequency'>,
  { range, group, target }: Pick<Question, 'range' | 'group' | 'target'>,
  { rows, totals, before, url, view, stop, attached }: Counted,
): { subject: string; text: string; html: string } {
  const period = periodText(range);
  const abs = totals.calls - before.calls;
  const change = { abs, pct: before.calls ? (100 * abs) / before.calls : null };
  const rate = totals.answer_rate === null ? '' : ` ${rateText(totals.answer_rate)} were answered.`;
  const lead =
    totals.calls === 0
      ? `No calls, ${period}.`
      : `${callsText(totals.calls, change, periodBeforeText[due.frequency])}${rate}`;
  const lines = totals.calls === 0 ? [] : rows.slice(0, MOST_ROWS).map(lineOf(group, target));
  const more = totals.calls === 0 ? 0 : rows.length - lines.length;
  const rest = more > 0 ? `${countText(more)} more in the report.` : '';
  const foot = `${due.user} at ${due.company} has this report sent to you.`;
  const head = `${due.name}, ${period}`;
  return {
    subject: `${due.company}: ${head}`,
    text: [
      ...[head, lead, ''],
      ...lines.map(({ name, text, calls }) => `${name}: ${text}${calls}`),
      ...(rest ? [rest] : []),
      ...(attached ? ['', attached] : []),
      ...['', `Open the report: ${url}`],
      ...(view ? [`Open it without an account until ${dayText(view.until)}: ${view.url}`] : []),
      ...['', foot, `Stop these emails: ${stop}`, ''],
    ].join('\n'),
    html: `<p style="margin:0;color:#5b6270">${escapeHtml(head)}</p><p style="font-size:16px">${escapeHtml(lead)}</p>${chart(group, target, lines)}${table(group, target, lines)}${quietly(rest)}${quietly(attached)}<p><a href="${escapeHtml(view?.url ?? url)}">Open the report</a></p>${quietly(view ? `This link works without an account until ${dayText(view.until)}.` : '')}<p style="font-size:12px;color:#5b6270">${escapeHtml(foot)} <a href="${escapeHtml(stop)}" style="color:#5b6270">Stop these emails</a></p>`,
  };
}

const quietly = (text: string): string =>
  text && `<p style="color:#5b6270">${escapeHtml(text)}</p>`;

type Line = ReturnType<ReturnType<typeof lineOf>>;
const lineOf = (group: CallGroup, target: CallTarget) => (row: CallReportRow) => ({
  name: rowName(group, row),
  value: row.value ?? 0,
  text: figureText(target, row.value),
  calls: target === 'calls' ? '' : ` (${countText(row.figures.calls)} calls)`,
});

/** Columns for a few points in time. Other rows have their bar in the table. */
const chart = (group: CallGroup, target: CallTarget, lines: readonly Line[]): string =>
  isTimeGroup(group) && lines.length > 1 && lines.length <= MOST_COLUMNS
    ? columnChart(
        figureNames[target],
        lines.map((line) => ({ ...line, name: line.name.slice(0, 3) })),
      )
    : '';

function table(group: CallGroup, target: CallTarget, lines: readonly Line[]): string {
  if (!lines.length) return '';
  const most = Math.max(...lines.map(({ value }) => value));
  const cell = 'padding:6px 0;border-bottom:1px solid #e3e6ea';
  const quiet = 'color:#5b6270;font-weight:400;font-size:12px';
  const body = lines.map(
    ({ name, value, text, calls }) =>
      `<tr><td style="${cell}">${escapeHtml(name)}<div style="margin-top:3px;height:4px;width:${most > 0 ? Math.round((value / most) * 100) : 0}%;background:#0f766e;border-radius:2px"></div></td><td style="${cell};padding-left:12px;text-align:right;vertical-align:top;font-weight:600;white-space:nowrap">${escapeHtml(text)}<span style="${quiet}">${escapeHtml(calls)}</span></td></tr>`,
  );
  return `<table cellpadding="0" cellspacing="0" style="margin-top:16px;border-collapse:collapse;width:100%;max-width:420px"><tr><th scope="col" style="${quiet};text-align:left">${groupName(group)}</th><th scope="col" style="${quiet};text-align:right">${figureNames[target]}</th></tr>${body.join('')}</table>`;
}
