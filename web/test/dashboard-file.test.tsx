import { expect, test } from 'vitest';
import { callAnalytics, dashboard, type Answer } from '#contract';
import { ExportMenu } from '../src/features/analytics/dashboard/saving/ExportMenu.tsx';
import { dashboardCsv } from '../src/features/analytics/dashboard/saving/csv.ts';
import type { Collected } from '../src/features/analytics/dashboard/saving/collect.ts';
import type { Question } from '../src/features/analytics/dashboard/use-dashboard.ts';
import { listParts } from '../src/features/analytics/dashboard/part-list.ts';
import { permissionKeys } from '#contract/permissions';
import { exampleAnswer, renderScreen, screen } from './screen.tsx';

type Board = Answer<typeof dashboard.getDashboard>;
type Rows = [key: string, label: string, calls: number][];
const rowsOf = (rows: Rows) =>
  rows.map(([key, label, calls]) => ({ key, label, values: { calls, answer_rate: null } }));
const board = (now: Rows, before: Rows | null = null): Board => ({
  ...exampleAnswer(dashboard.getDashboard),
  data: rowsOf(now),
  totals: { calls: now.reduce((sum, [, , calls]) => sum + calls, 0) },
  previous: before && {
    ...{ start: '2026-10-30', end: '2026-10-31', change: {}, totals: { calls: 9 } },
    data: rowsOf(before),
  },
});
const sources = listParts().filter(({ group }) => group === 'source');
const found: Collected = {
  byTime: board([['2026-11-01', '', 7]], []),
  timeGroup: 'day',
  heat: { ...board([]), data: [{ key: '1', label: '', values: { '00': 1, '09': 2, '10': 3 } }] },
  lists: [
    {
      part: sources[0]!,
      board: board(
        [
          ['=cmd', '=cmd(1)', 5],
          ['(none)', 'None', 2],
        ],
        [
          ['=cmd', '=cmd(1)', 4],
          ['yelp', 'Yelp, Inc.', 3],
        ],
      ),
    },
  ],
  states: { ...exampleAnswer(callAnalytics.analyzeCalls), data: [] },
  companies: null,
};

test('the table has all rows of all parts, no formula, and what only the days before had', () => {
  const csv = dashboardCsv(
    found,
    { start: '2026-11-01', end: '2026-11-02' },
    { of: 'Harbor Dental', tz: 'UTC', limits: ['Source: Yelp', 'Qualified'] },
  );
  expect(csv.codePointAt(0)).toBe(0xfeff);
  const [head, ...lines] = csv.slice(1).trimEnd().split('\r\n');
  expect(head).toMatch(/^Company,From,To,Limited to,Part,Row,Calls,Calls before,Answered,/);
  const about = 'Harbor Dental,2026-11-01,2026-11-02,Source: Yelp; Qualified,';
  for (const line of lines) {
    expect(line.startsWith(about), line).toBe(true);
    expect(line.slice(about.length).endsWith(',,,,,,,,'), line).toBe(true);
  }
  expect(lines.map((line) => line.slice(about.length).replace(/,{8}$/, ''))).toEqual([
    'All calls,All calls,7,9',
    'Day,2026-11-01,7,',
    'Busiest hours,Monday 00:00,1,',
    'Busiest hours,Monday 09:00,2,',
    'Busiest hours,Monday 10:00,3,',
    "Sources,'=cmd(1),5,4",
    'Sources,None,2,0',
    'Sources,"Yelp, Inc.",0,3',
  ]);
});

test('of an organization the table has all companies, and says where only some numbers are counted', () => {
  const companies = board([['1', 'Dental', 5]], [['2', 'Law', 4]]);
  companies.meta = {
    ...companies.meta,
    companies: [
      { id: 1, name: 'Dental', is_limited: true },
      { id: 2, name: 'Law', is_limited: false },
      { id: 3, name: 'Motors', is_limited: false },
    ],
  };
  const days = { start: '2026-11-01', end: '2026-11-02' };
  const of = { of: 'Harborline', tz: 'UTC', limits: [] };
  const lines = dashboardCsv({ ...found, companies }, days, of).split('\r\n');
  expect(lines.flatMap((line) => /By company,(.*?),{8}$/.exec(line)?.[1] ?? [])).toEqual([
    'Dental (your numbers only),5,0',
    'Law,0,4',
    'Motors,0,0',
  ]);
});

const question = {} as Question;
const facts = { of: 'Harbor Dental', tz: 'UTC', limits: [] };
test.each([
  [true, ['Print or save as PDF', 'Picture (PNG)', 'All rows (CSV)']],
  [false, ['Print or save as PDF', 'Picture (PNG)']],
])('tables are for people who can export: %s', async (mayExport, items) => {
  const { user } = renderScreen(<ExportMenu question={question} facts={facts} />, {
    permissions: permissionKeys.filter((key) => mayExport || key !== 'exports.make'),
  });
  await user.click(screen.getByRole('button', { name: 'Export' }));
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(items);
});
