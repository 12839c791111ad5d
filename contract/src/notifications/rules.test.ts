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

test('until somebody says otherwise every kind of news is shown', () =>
  expect(notificationKinds.filter((kind) => wantsInApp(wish(), kind, 12, noon))).toEqual([
    ...notificationKinds,
  ]));
test('a kind that is only mailed, or not wanted, is not shown', () => {
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
  ]);
});
test('other numbers than those chosen are not shown; what is about no number is', () => {
  expect(
    [12, 13, null].map((number) => wantsInApp(wish({ number_ids: [12] }), 'mention', number, noon)),
  ).toEqual([true, false, true]);
});
test('nothing is shown in quiet hours, by the clock of the person’s zone, over midnight and over the change of clocks', () => {
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
test('quiet hours that begin when they end are none', () =>
  expect([0, 480, 1439].map((minute) => isQuietAt(minute, '08:00', '08:00'))).toEqual([
    false,
    false,
    false,
  ]));
