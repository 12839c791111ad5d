import { expect, test } from 'vitest';
import { Headline } from '../src/features/analytics/dashboard/Headline.tsx';
import type { Board } from '../src/features/analytics/dashboard/use-dashboard.ts';
import { renderScreen, screen } from './screen.tsx';

type Row = [key: string, label: string, calls: number, missed?: number];
const rowsOf = (rows: Row[]) =>
  rows.map(([key, label, calls, missed = 0]) => ({ key, label, values: { calls, missed } }));
/** A board of rows now and before, with their totals. */
function board(now: Row[], before: Row[]): Board {
  const sum = (rows: Row[]) => ({ calls: rows.reduce((n, [, , calls]) => n + calls, 0) });
  return {
    data: rowsOf(now),
    totals: sum(now),
    previous: {
      ...{ start: '2026-10-01', end: '2026-10-30', change: {} },
      data: rowsOf(before),
      totals: sum(before),
    },
    meta: {
      ...{ as_of: '', tz: 'UTC', cached_until: '', row_count: 0, filter_hash: '', checksum: '' },
      companies: null,
    },
  };
}
const shown = (sources: Board, numbers: Board) => {
  renderScreen(
    <Headline calls={sources} sources={sources} numbers={numbers} limits={{ period: 'month' }} />,
  );
  return screen.getAllByRole('listitem').map((item) => item.textContent);
};
const quiet = board([['1', 'Main line', 3, 2]], [['1', 'Main line', 3, 2]]);

test('more calls, the source that brought most of them, and the number that misses more', () => {
  const sources = board(
    [
      ['google_ads', 'Google Ads', 60],
      ['(none)', 'None', 60],
    ],
    [
      ['google_ads', 'Google Ads', 40],
      ['(none)', 'None', 60],
    ],
  );
  const numbers = board([['7', 'Front desk', 9, 5]], [['7', 'Front desk', 9, 4]]);
  expect(shown(sources, numbers)).toEqual([
    'Incoming calls are up 20%: 120, after 100.',
    'The largest increase: Google Ads, 20 more. Show calls',
    'Front desk missed 1 more call than before. Show missed calls',
  ]);
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/activity/calls?source=google_ads&direction=inbound&period=month',
    '/activity/calls?outcome=2&number=7&direction=inbound&period=month',
  ]);
});

test('fewer calls name what dropped most; calls without a source have no list', () => {
  const sources = board([['(none)', 'None', 80]], [['(none)', 'None', 100]]);
  expect(shown(sources, quiet)).toEqual([
    'Incoming calls are down 20%: 80, after 100.',
    'The largest drop: Calls without a source, 20 fewer.',
  ]);
});

test('a change too small to matter is none', () => {
  const sources = board([['bing', 'Bing', 101]], [['bing', 'Bing', 100]]);
  expect(shown(sources, quiet)).toEqual([
    'About as many incoming calls as before: 101, after 100.',
  ]);
});
