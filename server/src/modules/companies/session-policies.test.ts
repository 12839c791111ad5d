import { expect, test } from 'vitest';
import { idleMinutesOf, isInNetworks, networksProblem } from './session-policies.ts';

test.each([
  ['203.0.113.7', ['203.0.113.0/24'], true],
  ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
  ['203.0.114.7', ['203.0.113.0/24'], false],
  ['203.0.113.7', ['203.0.113.7'], true],
  ['2001:db8::5', ['2001:db8::/32'], true],
  ['2001:db9::5', ['2001:db8::/32', '203.0.113.0/24'], false],
  ['203.0.113.7', ['nonsense', '203.0.113.0/99'], false],
  ['nonsense', ['0.0.0.0/0'], false],
])('%s in %j: %s', (ip, ranges, expected) => {
  expect(isInNetworks(ip, ranges)).toBe(expected);
});

test('nobody can save networks that lock them out', () => {
  expect(networksProblem([], '203.0.113.7')).toBeNull();
  expect(networksProblem(['203.0.113.0/24'], '203.0.113.7')).toBeNull();
  expect(networksProblem(['198.51.100.0/24'], '203.0.113.7')).toContain('203.0.113.7');
  expect(networksProblem(['203.0.113.0/33'], '203.0.113.7')).toContain('isn’t a network');
});

test('the strictest company bounds a session, within 15 minutes and a day', () => {
  const of = (...minutes: unknown[]) =>
    idleMinutesOf(minutes.map((value) => ({ switches: { session_idle_minutes: value } })));
  expect([of(), of(undefined), of(60, 30, 999), of(1), of(9999), of('x')]).toEqual([
    720, 720, 30, 15, 1440, 720,
  ]);
});
