import { expect, test } from 'vitest';
import { billableMinutes, isEmergency, presenceState, speakersOf } from './rules.ts';

test('recognizes emergency numbers however formatted', () => {
  for (const dialled of ['911', '9-1-1', ' 911 ', '112', '933'])
    expect(isEmergency(dialled)).toBe(true);
  for (const dialled of ['+19115550147', '9112', '211']) expect(isEmergency(dialled)).toBe(false);
});

test('presence is active only with a device, when wanted and not on a call', () => {
  const there = { set_up: true, wish: 'active' as const, on_call: false, devices: [1] };
  expect(presenceState(there)).toBe('active');
  expect(presenceState({ ...there, devices: [] })).toBe('offline');
  expect(presenceState({ ...there, set_up: false })).toBe('offline');
  expect(presenceState({ ...there, on_call: true })).toBe('on_call');
  expect(presenceState({ ...there, wish: 'away' })).toBe('away');
});

test('bills full minutes from the answer; the first leg is the first channel', () => {
  expect(
    billableMinutes({ outcome: 1, talk_seconds: 61, duration_seconds: 90, ring_seconds: 20 }),
  ).toBe(2);
  expect(
    billableMinutes({ outcome: 3, talk_seconds: 0, duration_seconds: 50, ring_seconds: 20 }),
  ).toBe(1);
  expect(
    billableMinutes({ outcome: 2, talk_seconds: 0, duration_seconds: 50, ring_seconds: 50 }),
  ).toBe(0);
  expect(speakersOf({ kind: 'inbound' }, 'call', 2)).toEqual([2, 1]);
  expect(speakersOf({ kind: 'outbound' }, 'call', 2)).toEqual([1, 2]);
  expect(speakersOf({ kind: 'inbound' }, 'voicemail', 1)).toEqual([2]);
  expect(speakersOf({ kind: 'inbound' }, 'call', 1)).toEqual([0]);
});
