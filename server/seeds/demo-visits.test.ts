import { describe, expect, test } from 'vitest';
import { groupBy } from '../src/modules/tracking/hits/batching.ts';
import type { DemoSite } from './demo-visit.ts';
import { planVisits } from './demo-visits.ts';
import { createRandom } from './demo-vocabulary.ts';
import { officeWeek } from './demo-week.ts';
import { matcherOf } from './demo-visit-matches.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];
const numbersFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...{ id: first + i, number: `+1212555${first + i}`, label: '' },
  }));
const profile = 4;
const demo: DemoSite = {
  visitors: { id: 1, sourceIds: [], numbers: numbersFrom(2361, 6) },
  fixed: { id: 2, sourceIds: [profile], numbers: numbersFrom(2371, 1) },
  sources: [],
};
/** The least share of each source. */
const mix = {
  ...{ google_ads: 0.2, google_organic: 0.15, google_business_profile: 0.1 },
  ...{ email: 0.05, referral: 0.04 },
};
const company = { rhythm: { timezone: 'America/New_York', weekdays: officeWeek } };

describe.each([
  '2026-11-22T18:00:00Z', // a Sunday
  '2026-11-25T17:30:00Z',
  '2026-03-09T13:05:00Z', // a Monday morning after a clock change
])('visits of a demo begun at %s', (begun) => {
  const now = Date.parse(begun);
  const visits = planVisits(createRandom(20_261_126), company, demo, now);

  test('come over ninety days, by ads, search, the map, email and referrals', () => {
    expect(visits[0]!.at).toBeLessThan(now - 85 * DAY);
    expect(Math.max(...visits.map(({ at }) => at))).toBeLessThan(now);
    const bySource = groupBy(visits, ({ found }) => found.source.key);
    for (const [key, least] of Object.entries(mix))
      expect((bySource.get(key)?.length ?? 0) / visits.length, key).toBeGreaterThan(least);
  });

  test('never see a number that another sees, and find none when an email brings too many', () => {
    for (const { id } of demo.visitors.numbers) {
      const own = visits.filter(({ number }) => number?.id === id);
      expect(own.length).toBeGreaterThan(50);
      for (const [i, visit] of own.entries())
        if (i > 0) expect(visit.at).toBeGreaterThanOrEqual(own[i - 1]!.over);
    }
    const without = visits.filter(({ number }) => number === null);
    expect(without.length).toBeGreaterThan(5);
    expect(new Set(without.map(({ found }) => found.source.key))).toContain('email');
  });

  test('are found again by who calls: surely while the page is open, less so later', () => {
    const matchOf = matcherOf(demo, visits);
    const visit = visits.findLast(({ leaseId }) => leaseId !== null)!;
    const person = { ...{ index: 0, id: 9, first: '', name: '', email: '', out: false } };
    const call = (number: string, at: number) =>
      matchOf(at, { person: { ...person, number }, number: visit.number!, pool: visit.pool });
    expect(call('+19175559001', visit.at + MINUTE)).toMatchObject({
      ...{
        label: 'exact',
        confidence: 100,
        visitId: visit.id,
        source: { id: visit.found.source.id },
      },
    });
    expect(call('+19175559001', visit.at + 20 * DAY)).toMatchObject({ label: 'returning' });
    const late = call('+19175559002', visit.over + 60 * MINUTE);
    expect(late.confidence).toBeLessThan(100);
    expect(late.candidates.map(({ sessionId }) => sessionId)).toContain(visit.id);
    const [number] = demo.fixed.numbers;
    expect(
      matchOf(now, {
        person: { ...person, number: '+19175559003' },
        number: number!,
        pool: demo.fixed,
      }),
    ).toMatchObject({ label: 'number_level', source: { key: 'google_business_profile' } });
  });
});
