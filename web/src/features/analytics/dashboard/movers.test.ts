import { expect, test } from 'vitest';
import { largestMover } from './movers.ts';

const row = (key: string, calls: number) => ({ key, label: key.toUpperCase(), values: { calls } });
const board = (now: [string, number][], before: [string, number][] | null) => ({
  data: now.map((one) => row(...one)),
  previous: before && {
    start: '2026-10-01',
    end: '2026-10-30',
    data: before.map((one) => row(...one)),
    totals: {},
    change: {},
  },
});

test('the largest mover is the row that changed most that way, new and vanished rows included', () => {
  const both = board(
    [
      ['ads', 30],
      ['new', 12],
      ['maps', 5],
    ],
    [
      ['ads', 20],
      ['maps', 9],
      ['gone', 8],
    ],
  );
  expect(largestMover(both, 'calls', 'more')).toEqual({ key: 'new', label: 'NEW', by: 12 });
  expect(largestMover(both, 'calls', 'fewer')).toEqual({ key: 'gone', label: 'GONE', by: -8 });
});

test('without a change that way there is no mover', () => {
  const same = board([['ads', 30]], [['ads', 30]]);
  expect(largestMover(same, 'calls', 'more')).toBeNull();
  expect(largestMover(same, 'calls', 'fewer')).toBeNull();
  expect(largestMover(board([], null), 'calls', 'more')).toBeNull();
  expect(largestMover(same, 'missed', 'more')).toBeNull();
});
