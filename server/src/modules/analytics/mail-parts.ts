import { escapeHtml } from '../../platform/html.ts';
import type { Range } from './query/question.ts';

/** What emails of figures are made of: numbers, days, bars that need no picture. */
export const countText = (n: number): string => n.toLocaleString('en-US');

/** `85.7%`, as on the screen. */
export const rateText = (rate: number): string => `${countText(rate)}%`;

/** `Mar 8`, with `weekday` `Mon, Mar 8`; of a day as `2027-03-08`. */
export const dayText = (day: string, weekday = false): string =>
  new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    month: 'short',
    day: 'numeric',
    ...(weekday && { weekday: 'short' }),
  }).format(new Date(`${day}T00:00:00Z`));

/** `Tue, Apr 6`, or `Mar 8 to Mar 14`. */
export const periodText = ({ start, end }: Range): string =>
  start === end ? dayText(start, true) : `${dayText(start)} to ${dayText(end)}`;

/** `12% more`, `3 fewer`, `the same`: how a figure stands against the period before. */
export function changeText({ abs, pct }: { abs: number; pct: number | null }): string {
  if (abs === 0) return 'the same';
  const size = pct === null ? countText(Math.abs(abs)) : `${Math.abs(Math.round(pct))}%`;
  return `${size} ${abs > 0 ? 'more' : pct === null ? 'fewer' : 'less'}`;
}

/** `15 calls, 50% more than the week before.`, or `15 calls, as many as …`. */
export const callsText = (
  calls: number,
  change: Parameters<typeof changeText>[0],
  before: string,
): string =>
  `${countText(calls)} ${calls === 1 ? 'call' : 'calls'}, ${changeText(change)} than ${before}.`.replace(
    'the same than',
    'as many as',
  );

const tallest = 72;

/** Columns with their figure above and name below; empty when all are zero. */
export function columnChart(
  title: string,
  columns: readonly { name: string; value: number; text: string }[],
): string {
  const most = Math.max(0, ...columns.map(({ value }) => value));
  if (most === 0) return '';
  const cells = columns.map(
    ({ name, value, text }) =>
      `<td style="vertical-align:bottom;text-align:center;padding:0 3px;font-size:11px;color:#5b6270">${escapeHtml(text)}<div style="height:${Math.max(2, Math.round((value / most) * tallest))}px;background:#0f766e;border-radius:2px 2px 0 0"></div>${escapeHtml(name)}</td>`,
  );
  return `<p style="margin:20px 0 6px;font-weight:600">${escapeHtml(title)}</p><table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;max-width:420px;table-layout:fixed"><tr>${cells.join('')}</tr></table>`;
}
