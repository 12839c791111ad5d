import type { Answer, analytics } from '#contract';
import { escapeHtml } from '../../../platform/html.ts';
import {
  callsText,
  changeText,
  columnChart,
  countText,
  dayText,
  periodText,
  rateText,
} from '../mail-parts.ts';
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
  const period = periodText(range);
  const before = isDaily ? 'the day before' : 'the week before';
  const { current } = figures;
  const lead =
    current.total === 0
      ? `${name} had no calls.`
      : `${name} had ${callsText(current.total, figures.change.total, before)} ${rateText(current.answer_rate)} were answered.`;
  const rows = shown.map(([key, label]) => ({
    label,
    value: countText(current[key]),
    change: changeText(figures.change[key]),
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

/** Calls by day or hour; an hour without calls before the first and after the last is left out. */
function bars({ series }: Figures, isDaily: boolean): string {
  const first = series.findIndex(({ total }) => total > 0);
  const last = series.findLastIndex(({ total }) => total > 0);
  const points = isDaily ? series.slice(Math.max(0, first), last + 1) : series;
  const name = (at: string): string =>
    isDaily ? `${Number(at.slice(11, 13))}` : dayText(at.slice(0, 10), true).slice(0, 3);
  return columnChart(
    `Calls by ${isDaily ? 'hour' : 'day'}`,
    points.map(({ at, total }) => ({ name: name(at), value: total, text: String(total) })),
  );
}
