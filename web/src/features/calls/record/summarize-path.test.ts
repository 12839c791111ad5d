import { expect, test } from 'vitest';
import { summarizePath } from './summarize-path.ts';

const step = (node: string, more: { matched?: boolean; rule?: string; target?: string } = {}) => ({
  node,
  at: '2026-11-23T15:00:00.000Z',
  rule: more.rule ?? '',
  matched: more.matched ?? true,
  because: '',
  target: more.target ?? null,
});
const call = (path: ReturnType<typeof step>[], answeredBy: string | null = null) => ({
  path,
  outbound: 0 as const,
  to: '+12125552300',
  answered_by:
    answeredBy === null ? null : { type: 'app' as const, id: 7, label: answeredBy, number: null },
});

test('an answered call reads as menu, route and person', () => {
  const path = [
    step('start'),
    step('screen'),
    step('menu'),
    step('route', { target: '2 Appointments' }),
    step('hours', { rule: 'business hours' }),
    step('ring', { target: 'user:7' }),
    step('connect', { target: 'user:7' }),
    step('end'),
  ];
  expect(summarizePath(call(path, 'Olive Owner'))).toEqual([
    'Menu',
    '2 Appointments',
    'Olive Owner',
  ]);
});

test('a call outside business hours reads as after hours and voicemail', () => {
  const path = [
    step('start'),
    step('route', { target: 'Front desk' }),
    step('hours', { rule: 'business hours', matched: false }),
    step('hours', { rule: 'after hours' }),
    step('voicemail', { target: 'Voicemail' }),
  ];
  expect(summarizePath(call(path))).toEqual(['Front desk', 'After hours', 'Voicemail']);
});

test('a menu asked twice is named once, and an outside phone by its number', () => {
  const path = [step('menu'), step('menu'), step('connect', { target: '+12125550111' })];
  expect(summarizePath(call(path))).toEqual(['Menu', '(212) 555-0111']);
});

test('an outbound call names who was called', () => {
  const outbound = { ...call([step('start'), step('ring')]), outbound: 1 as const };
  expect(summarizePath(outbound)).toEqual(['Call placed', '(212) 555-2300']);
});
