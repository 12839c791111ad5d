import { expect, test } from 'vitest';
import { emptyRoute, type Draft } from './draft.ts';
import { testTimesOf } from './test-times.ts';

const emptyDraft: Draft = { routes: [], menu: { greeting: '', fallback: '' } };
const now = new Date(2026, 10, 23, 14, 30);

test('the next holiday can always be tested, even without special dates', () => {
  expect(testTimesOf(emptyDraft, now)).toEqual([
    { label: 'Now', at: '2026-11-23T14:30' },
    { label: 'Tonight', at: '2026-11-23T23:00' },
    { label: 'Next holiday', at: '2026-11-26T12:00' },
  ]);
});

test('after the last holiday of a year comes the first of the next', () => {
  const holiday = testTimesOf(emptyDraft, new Date(2026, 11, 27)).find(
    ({ label }) => label === 'Next holiday',
  );
  expect(holiday?.at).toBe('2027-01-01T12:00');
});

test('special dates follow, one that already began as today', () => {
  const hours = { preset: 4 as const, timezone: null, blocks: [], voicemail: false };
  const day = (label: string, from: string, to: string) => ({
    label,
    from,
    to,
    closed: true,
    times: [],
  });
  const exceptions = [
    day('Staff outing', '2026-12-04', '2026-12-04'),
    day('Renovation', '2026-11-20', '2026-11-30'),
    day('Past', '2026-11-01', '2026-11-02'),
  ];
  const route = { ...emptyRoute(1), business_hours: { ...hours, exceptions } };
  expect(testTimesOf({ ...emptyDraft, routes: [route] }, now).slice(3)).toEqual([
    { label: 'Renovation', at: '2026-11-23T12:00' },
    { label: 'Staff outing', at: '2026-12-04T12:00' },
  ]);
});
