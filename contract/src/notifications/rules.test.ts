import { expect, test } from 'vitest';
import {
  isQuietAt,
  notificationKinds,
  defaultDelivery,
  wantsInApp,
  type NotificationPreference,
} from './rules.ts';

const wish = (more: Partial<NotificationPreference> = {}): NotificationPreference => ({
  kinds: defaultDelivery,
  number_ids: [],
  quiet: { on: false, from: '20:00', to: '08:00', timezone: 'America/New_York' },
  ...more,
});
const noon = new Date('2026-11-21T17:00:00Z');

test('by default, every kind of notification is shown', () =>
  expect(notificationKinds.filter((kind) => wantsInApp(wish(), kind, 12, noon))).toEqual([
    ...notificationKinds,
  ]));
test('a kind set to email or none is not shown', () => {
  const kinds = {
    ...defaultDelivery,
    message: 'email' as const,
    fax: 'none' as const,
    missed: 'both' as const,
  };
  expect(notificationKinds.filter((kind) => wantsInApp(wish({ kinds }), kind, 12, noon))).toEqual([
    'missed',
    'voicemail',
    'mention',
    'assigned',
    'alert',
  ]);
});
test('notifications of unselected numbers are not shown; those without a number are', () => {
  expect(
    [12, 13, null].map((number) => wantsInApp(wish({ number_ids: [12] }), 'mention', number, noon)),
  ).toEqual([true, false, true]);
});
test('nothing is shown in quiet hours of the person’s zone, past midnight and across DST changes', () => {
  const quiet = { on: true, from: '20:00', to: '08:00', timezone: 'America/New_York' };
  const shown = (at: string, zone = quiet.timezone) =>
    wantsInApp(wish({ quiet: { ...quiet, timezone: zone } }), 'message', 12, new Date(at));
  expect(
    [
      '2026-11-21T17:00:00Z',
      '2026-11-22T00:59:00Z',
      '2026-11-22T01:00:00Z',
      '2026-11-22T05:00:00Z',
      '2026-11-22T12:59:00Z',
      '2026-11-22T13:00:00Z',
    ].map((at) => shown(at)),
  ).toEqual([true, true, false, false, false, true]);
  expect(
    [
      '2026-07-21T23:59:00Z',
      '2026-07-22T00:00:00Z',
      '2026-07-22T11:59:00Z',
      '2026-07-22T12:00:00Z',
    ].map((at) => shown(at)),
  ).toEqual([true, false, false, true]);
  expect(shown('2026-11-22T01:30:00Z', 'America/Los_Angeles')).toBe(true);
  expect(
    wantsInApp(
      wish({ quiet: { ...quiet, on: false } }),
      'message',
      12,
      new Date('2026-11-22T05:00:00Z'),
    ),
  ).toBe(true);
});
test('quiet hours that end when they begin never apply', () =>
  expect([0, 480, 1439].map((minute) => isQuietAt(minute, '08:00', '08:00'))).toEqual([
    false,
    false,
    false,
  ]));
