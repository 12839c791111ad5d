import { describe, expect, test } from 'vitest';
import { planHistory } from './demo-history.ts';
import type { SeedCompany } from './demo-rows.ts';
import { createRandom, dental, garage } from './demo-vocabulary.ts';
import { badMorning, localOf, officeWeek, shopWeek } from './demo-week.ts';

const DAY = 86_400_000;
const company = (more: Partial<SeedCompany> = {}): SeedCompany => ({
  id: 1,
  trade: dental,
  numbers: Array.from({ length: 6 }, (_, i) => ({
    id: i + 1,
    number: `+1212555230${i}`,
    label: '',
  })),
  agents: [{ id: 5, name: 'Una User' }],
  tags: new Map(dental.tags.map((name, i) => [name, i])),
  contacts: 720,
  messages: 4500,
  calls: 2500,
  areaCodes: ['212'],
  rhythm: { timezone: 'America/New_York', weekdays: officeWeek },
  hasBadMorning: true,
  ...more,
});
/** Various times of day and week, clock changes and the turn of a year. */
const starts = [
  '2026-11-22T18:00:00Z', // a Sunday, 1 PM in New York
  '2026-11-23T09:10:00Z', // Monday, 4 AM
  '2026-11-23T14:05:00Z', // Monday, the doors have just opened
  '2026-11-25T17:30:00Z', // Wednesday noon
  '2026-11-27T23:59:00Z', // Friday evening
  '2026-11-02T02:00:00Z', // the evening of the day clocks went back
  '2026-03-08T20:00:00Z', // the day they go forward
  '2027-01-01T12:00:00Z',
  '2026-07-04T15:00:00Z', // a Saturday
  '2026-12-23T15:12:00Z', // 22 weekdays after 20
  '2027-01-20T07:30:00Z',
].map((at) => new Date(at));

interface Call {
  id: number;
  at: number;
  party: string;
  outbound: boolean;
  outcome: number;
  first: boolean;
}
function planned(now: Date, of = company()) {
  const plan = planHistory(createRandom(20_261_121), of, now);
  const calls = plan.calls.map((c): Call => ({
    id: Number(c['id']),
    at: (c['started_at'] as Date).getTime(),
    party: String(c['party']),
    outbound: Boolean(c['outbound']),
    outcome: Number(c['outcome']),
    first: Boolean(c['first_contact']),
  }));
  const texts = plan.items.flatMap((i) =>
    i['kind'] === 'message' ? [(i['created_at'] as Date).getTime()] : [],
  );
  return { ...plan, calls, incoming: calls.filter((c) => !c.outbound), texts };
}
const local = (at: number, timezone: string) => {
  const { day, ms } = localOf(at, timezone);
  return { weekday: new Date(`${day}T00:00:00Z`).getUTCDay(), hour: ms / 3_600_000 };
};
const share = (list: readonly number[], fits: (at: number) => boolean) =>
  list.filter(fits).length / list.length;

describe.each(starts)('demo data begun at %s', (now) => {
  const zone = 'America/New_York';
  const { incoming, calls, texts, items, conversations } = planned(now);

  test('is busy Monday to Friday, nine to five, and quiet on Sunday', () => {
    for (const moments of [incoming.map((c) => c.at), texts]) {
      expect(
        share(moments, (at) => [1, 2, 3, 4, 5].includes(local(at, zone).weekday)),
      ).toBeGreaterThan(0.96);
      expect(share(moments, (at) => local(at, zone).weekday === 0)).toBeLessThan(0.02);
      expect(
        share(moments, (at) => local(at, zone).hour >= 9 && local(at, zone).hour < 17),
      ).toBeGreaterThan(0.9);
      expect(share(moments, (at) => local(at, zone).hour < 8 || local(at, zone).hour > 19)).toBe(0);
      expect(Math.max(...moments)).toBeLessThan(now.getTime());
    }
  });

  const bad = badMorning({ timezone: zone, weekdays: officeWeek }, now.getTime());
  const isBad = ({ at }: Call) => at >= bad.from && at < bad.to;

  test('on one morning of the last week most calls were missed, and called back, except the last few', () => {
    const those = incoming.filter(isBad);
    const missed = those.filter((c) => c.outcome === 2);
    expect(those.length).toBeGreaterThan(5);
    expect(missed.length / those.length).toBeGreaterThan(0.55);
    expect(missed.length / those.length).toBeLessThan(0.8);
    expect(bad.from).toBeGreaterThan(now.getTime() - 7 * DAY);
    expect(bad.to).toBeLessThan(now.getTime() - DAY);
    // As always, the last few of all missed calls wait.
    const waiting = missed.filter(
      ({ at, party }) =>
        !calls.some((c) => c.party === party && c.outbound && c.at > at && c.at < at + DAY),
    );
    expect(waiting.length).toBeLessThanOrEqual(4);
  });

  test('but for that morning, figures are within 10% of the week before and 15% of the month before; missed calls, which are few, within 20%', () => {
    const until = now.getTime();
    const change = (list: readonly number[], days: number) => {
      const among = (from: number, to: number) => list.filter((at) => at >= from && at < to).length;
      const before = among(until - 2 * days * DAY, until - days * DAY);
      return Math.abs(among(until - days * DAY, until) / before - 1);
    };
    const at = (list: readonly Call[]) => list.map((c) => c.at);
    for (const days of [7, 30]) {
      // Neither that morning nor the same one of the period before.
      const usual = incoming.filter(
        (c) => !isBad(c) && !isBad({ ...c, at: c.at + (days === 7 ? 7 : 28) * DAY }),
      );
      const figures = {
        calls: at(incoming),
        answered: at(usual.filter((c) => c.outcome === 1)),
        missed: at(usual.filter((c) => c.outcome === 2)),
        newCallers: at(incoming.filter((c) => c.first)),
        texts,
      };
      for (const [name, list] of Object.entries(figures))
        expect(change(list, days), `${name} in ${days} days`).toBeLessThanOrEqual(
          name === 'missed' ? 0.2 : days === 7 ? 0.1 : 0.15,
        );
    }
  });

  test('missed calls are called back, except the last few', () => {
    const missed = incoming.filter((c) => c.outcome === 2 && c.at > now.getTime() - 14 * DAY);
    const isAnswered = ({ at, party }: Call) =>
      calls.some((c) => c.party === party && c.at > at && (c.outbound || c.outcome === 1)) ||
      items.some(
        (i) =>
          i['kind'] === 'message' &&
          !i['is_inbound'] &&
          (i['created_at'] as Date).getTime() > at &&
          conversations.some((c) => c['id'] === i['conversation_id'] && c['party'] === party),
      );
    const waiting = missed.filter((c) => !isAnswered(c));
    expect(waiting.length).toBeGreaterThanOrEqual(3);
    expect(waiting.length).toBeLessThanOrEqual(8);
    expect(waiting.length / missed.length).toBeLessThan(0.3);
    for (const { party } of waiting)
      expect(conversations.find((c) => c['party'] === party)?.['archived_at']).toBeNull();
  });

  test('some conversations are unread, all of them from the last open days', () => {
    const unread = conversations.filter(
      (c) => Number(c['unread_messages']) + Number(c['unread_calls']) > 0,
    );
    expect(unread.length).toBeGreaterThan(6);
    expect(unread.length).toBeLessThan(16);
    for (const c of unread) {
      expect(c['latest_inbound']).toBe(true);
      expect(now.getTime() - (c['last_activity_at'] as Date).getTime()).toBeLessThan(5 * DAY);
    }
  });
});

test('a garage that opens on Saturday is busy then, too, and small figures are even', () => {
  const now = new Date('2026-11-25T17:30:00Z');
  const rhythm = { timezone: 'America/Chicago', weekdays: shopWeek };
  const { incoming } = planned(
    now,
    company({ trade: garage, contacts: 300, messages: 1700, calls: 950, rhythm }),
  );
  const moments = incoming.map((c) => c.at);
  expect(share(moments, (at) => local(at, rhythm.timezone).weekday === 6)).toBeGreaterThan(0.1);
  expect(share(moments, (at) => local(at, rhythm.timezone).weekday === 0)).toBeLessThan(0.02);
});

test('the same seed creates the same data', () => {
  const now = starts[3]!;
  const shape = () => {
    const { incoming, texts } = planned(now);
    return JSON.stringify([incoming.map(({ id: _, ...call }) => call), texts]);
  };
  expect(shape()).toBe(shape());
});
