import type { Answer, analytics } from '#contract';
import { escapeHtml } from '../../../platform/html.ts';
import type { Range } from '../query/question.ts';
import type { DueSummary } from './store.ts';

type Figures = Answer<typeof analytics.callKpi>['data'];
type Name = 'total' | 'answered' | 'missed' | 'voicemail' | 'first_time' | 'messages';

const shown: readonly [Name, label: string][] = [
  ['total', 'Calls'],
  ['answered', 'Answered'],
  ['missed', 'Missed'],
  ['voicemail', 'Voicemails'],
  ['first_time', 'First-time callers'],
  ['messages', 'Texts'],
];
const count = (n: number): string => n.toLocaleString('en-US');
const dayText = (day: string, weekday = false): string =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    ...(weekday && { weekday: 'short' }),
  }).format(new Date(`${day}T00:00:00Z`));

/** `12% more`, `3 fewer`, `the same`: how a figure stands against the period before. */
function changeText({ change }: Figures, name: Name): string {
  const { abs, pct } = change[name];
  if (abs === 0) return 'the same';
  const size = pct === null ? count(Math.abs(abs)) : `${Math.abs(Math.round(pct))}%`;
  return `${size} ${abs > 0 ? 'more' : pct === null ? 'fewer' : 'less'}`;
}

/**
 * The email of a company's figures: a sentence, each figure against the period before, and calls by
 * day or hour as bars that need no picture, since many mail programs load none.
 */
export function renderSummary(
  { name, frequency }: Pick<DueSummary, 'name' | 'frequency'>,
  range: Range,
  { figures, publicUrl }: { figures: Figures; publicUrl: string },
): { subject: string; text: string; html: string } {
  const isDaily = frequency === 'daily';
  const period = isDaily
    ? dayText(range.start, true)
    : `${dayText(range.start)} to ${dayText(range.end)}`;
  const before = isDaily ? 'the day before' : 'the week before';
  const { current } = figures;
  const lead =
    current.total === 0
      ? `${name} had no calls.`
      : `${name} had ${count(current.total)} ${current.total === 1 ? 'call' : 'calls'}, ${changeText(figures, 'total')} than ${before}. ${Math.round(current.answer_rate)}% were answered.`.replace(
          'the same than',
          'as many as',
        );
  const rows = shown.map(([key, label]) => ({
    label,
    value: count(current[key]),
    change: changeText(figures, key),
  }));
  const link = `${publicUrl}/analytics/dashboard?period=custom&from=${range.start}&to=${range.end}`;
  const foot = `You get this because an administrator of ${name} added your address in Settings, General.`;
  return {
    subject: `${name}: ${isDaily ? 'your day' : 'your week'}, ${period}`,
    text: [
      ...[lead, ''],
      ...rows.map((row) => `${row.label}: ${row.value} (${row.change})`),
      ...['', `Compared with ${before}.`, `Open the report: ${link}`, '', foot, ''],
    ].join('\n'),
    html: `<p style="font-size:16px">${escapeHtml(lead)}</p>${table(rows)}${bars(figures, isDaily)}<p style="color:#5b6270">Compared with ${before}.</p><p><a href="${escapeHtml(link)}">Open the report</a></p><p style="font-size:12px;color:#5b6270">${escapeHtml(foot)}</p>`,
  };
}

const table = (rows: readonly { label: string; value: string; change: string }[]): string =>
  `<table role="presentation" cellpadding="0" cellspacing="0" style="border-collapse:collapse;width:100%;max-width:420px">${rows
    .map(
      ({ label, value, change }) =>
        `<tr><td style="padding:6px 0;border-bottom:1px solid #e3e6ea">${label}</td><td style="padding:6px 12px;border-bottom:1px solid #e3e6ea;text-align:right;font-weight:600">${value}</td><td style="padding:6px 0;border-bottom:1px solid #e3e6ea;color:#5b6270">${change}</td></tr>`,
    )
    .join('')}</table>`;

const tallest = 72;

/** Calls by day or hour; an hour without calls before the first and after the last is left out. */
function bars({ series }: Figures, isDaily: boolean): string {
  const first = series.findIndex(({ total }) => total > 0);
  const last = series.findLastIndex(({ total }) => total > 0);
  if (first === -1) return '';
  const points = isDaily ? series.slice(first, last + 1) : series;
  const most = Math.max(...points.map(({ total }) => total));
  const label = (at: string): string =>
    isDaily ? `${Number(at.slice(11, 13))}` : dayText(at.slice(0, 10), true).slice(0, 3);
  const cells = points.map(
    ({ at, total }) =>
      `<td style="vertical-align:bottom;text-align:center;padding:0 3px;font-size:11px;color:#5b6270">${total}<div style="height:${Math.max(2, Math.round((total / most) * tallest))}px;background:#0f766e;border-radius:2px 2px 0 0"></div>${label(at)}</td>`,
  );
  return `<p style="margin:20px 0 6px;font-weight:600">Calls by ${isDaily ? 'hour' : 'day'}</p><table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:420px;table-layout:fixed"><tr>${cells.join('')}</tr></table>`;
}
