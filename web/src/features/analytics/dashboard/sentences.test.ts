import { expect, test } from 'vitest';
import { changeText } from '../Change.tsx';
import { changeSentences } from './sentences.ts';
import type { Board } from './use-dashboard.ts';

const board = (now: number, before: number | null): Board =>
  ({
    data: [],
    totals: { calls: now },
    previous: before === null ? null : { data: [], totals: { calls: before }, change: {} },
  }) as unknown as Board;
const said = (now: number, before: number | null): string[] =>
  changeSentences(board(now, before), undefined, undefined).map(({ text }) => text);

test('calls in all are said with their percentage, unless it says nothing', () => {
  expect(said(120, 100)).toEqual(['Incoming calls are up 20%: 120, after 100.']);
  expect(said(100, 120)).toEqual(['Incoming calls are down 17%: 100, after 120.']);
  expect(said(101, 100)).toEqual(['About as many incoming calls as before: 101, after 100.']);
  expect(said(1_100, 100)).toEqual(['Incoming calls are up 1,000%: 1,100, after 100.']);
  expect(said(2_216, 1)).toEqual(['Many more incoming calls than before: 2,216, after 1.']);
  expect(said(5, 0)).toEqual([]);
  expect(said(5, null)).toEqual([]);
});

test('a change is a percentage, points of a rate, or after a handful the difference', () => {
  expect(changeText({ abs: 20, pct: 20, isRate: false })).toBe('+20%');
  expect(changeText({ abs: 2_215, pct: 221_500, isRate: false })).toBe('+2,215');
  expect(changeText({ abs: 341, pct: null, isRate: false })).toBe('+341');
  expect(changeText({ abs: 3, pct: 60_000, isRate: true })).toBe('+3 points');
  // Seconds of an average aren't said as a number.
  expect(changeText({ abs: 90, pct: 9_000, isRate: false, isCount: false })).toBe('+9,000%');
});
