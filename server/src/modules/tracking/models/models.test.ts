import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { attributionModels, type AttributionModel } from '#contract/tracking/pool-rules';
import { creditsOf, type Milestones } from './credits.ts';
import { markovShares, shapleyShares, type Journey } from './journeys.ts';
import type { ModelVisit } from './touches.ts';

const call = new Date('2026-11-21T12:00:00Z');
const daysBefore = (days: number) => new Date(call.getTime() - days * 86_400_000);
/** A visit so many days before the call. */
const v = (id: number, days: number, source = `s${id}`): ModelVisit => ({
  id,
  at: daysBefore(days),
  source,
  isDirect: source === 'direct',
});
const unknown: Milestones = { lead: null, qualifiedAt: null };
const creditOf = (
  model: AttributionModel,
  visits: ModelVisit[],
  milestones: Milestones = unknown,
) => {
  const { credits, fallback } = creditsOf(model, visits, call, milestones);
  return {
    fallback,
    credits: Object.fromEntries(credits.map(({ visitId, basisPoints }) => [visitId, basisPoints])),
  };
};

/** Five visits three weeks to an hour before the call; the third made the first call of this person. */
const five = [v(1, 21), v(2, 14), v(3, 7), v(4, 1), v(5, 1 / 24)];
const known: Milestones = {
  lead: { at: daysBefore(6.9), visitId: 3 },
  qualifiedAt: daysBefore(0.5),
};

describe('five visits, worked by hand', () => {
  test.each<[AttributionModel, Record<number, number>]>([
    ['first_touch', { 1: 10_000 }],
    ['last_touch', { 5: 10_000 }],
    ['last_non_direct', { 5: 10_000 }],
    ['lead_creation', { 3: 10_000 }],
    ['first_and_lead', { 1: 5000, 3: 5000 }],
    ['linear', { 1: 2000, 2: 2000, 3: 2000, 4: 2000, 5: 2000 }],
    ['position_based', { 1: 4000, 2: 666, 3: 666, 4: 666, 5: 4002 }],
    // Weights 1/8, 1/4, 1/2, 2^(-1/7) = 0.905724, 2^(-1/168) = 0.995883; their sum is 2.776607.
    ['time_decay', { 1: 450, 2: 900, 3: 1800, 4: 3261, 5: 3589 }],
    ['w_shaped', { 1: 3000, 2: 500, 3: 3000, 4: 3000, 5: 500 }],
  ])('%s', (model, credits) => {
    expect(creditOf(model, five, known)).toEqual({ credits, fallback: null });
  });
});

describe('what counts as a touch', () => {
  it('merges visits of a source within thirty minutes of each other, and keeps the first', () => {
    const minute = 1 / 1440;
    const visits = [v(1, 1, 'ads'), v(2, 1 - 30 * minute, 'ads'), v(3, 1 - 60 * minute, 'ads')];
    expect(creditOf('linear', visits).credits).toEqual({ 1: 10_000 });
    expect(creditOf('linear', [...visits, v(4, 1 - 91 * minute, 'ads')]).credits).toEqual({
      1: 5000,
      4: 5000,
    });
    expect(
      creditOf('linear', [visits[0]!, v(2, 1 - 5 * minute, 'mail'), v(3, 1 - 9 * minute, 'ads')])
        .credits,
    ).toEqual({ 1: 3333, 2: 3333, 3: 3334 });
  });

  it('leaves direct visits out where there is another, except for the last touch', () => {
    const visits = [v(1, 9, 'direct'), v(2, 5, 'ads'), v(3, 1, 'direct')];
    expect(creditOf('first_touch', visits).credits).toEqual({ 2: 10_000 });
    expect(creditOf('linear', visits).credits).toEqual({ 2: 10_000 });
    expect(creditOf('last_non_direct', visits).credits).toEqual({ 2: 10_000 });
    expect(creditOf('last_touch', visits).credits).toEqual({ 3: 10_000 });
    const direct = [v(1, 9, 'direct'), v(3, 1, 'direct')];
    expect(creditOf('last_non_direct', direct).credits).toEqual({ 3: 10_000 });
    expect(creditOf('first_touch', direct).credits).toEqual({ 1: 10_000 });
  });

  it('knows no credit without visits', () => {
    for (const model of attributionModels) expect(creditOf(model, []).credits).toEqual({});
  });
});

describe('the milestones', () => {
  it('of a lead from a visit that isn’t known are the last touch by then', () => {
    const lead = { at: daysBefore(2), visitId: null };
    expect(creditOf('lead_creation', five, { lead, qualifiedAt: null })).toEqual({
      credits: { 3: 10_000 },
      fallback: null,
    });
  });
  it('that are missing make another model step in, which is said', () => {
    expect(creditOf('lead_creation', five)).toEqual({
      credits: { 1: 10_000 },
      fallback: 'lead_unknown',
    });
    expect(creditOf('first_and_lead', five).fallback).toBe('lead_unknown');
    const early = { lead: { at: daysBefore(90), visitId: 99 }, qualifiedAt: null };
    expect(creditOf('lead_creation', five, early).fallback).toBe('lead_unknown');
    expect(creditOf('w_shaped', five, { ...known, qualifiedAt: null })).toEqual({
      ...creditOf('position_based', five),
      fallback: 'qualified_unknown',
    });
  });
  it('that fall together add up', () => {
    const same = { lead: { at: daysBefore(20), visitId: 1 }, qualifiedAt: daysBefore(20) };
    expect(creditOf('first_and_lead', five, same).credits).toEqual({ 1: 10_000 });
    expect(creditOf('w_shaped', [v(1, 21), v(2, 7)], same).credits).toEqual({ 1: 9000, 2: 1000 });
    const ends = { lead: { at: daysBefore(0), visitId: 2 }, qualifiedAt: call };
    expect(creditOf('w_shaped', [v(1, 21), v(2, 7)], ends).credits).toEqual({ 1: 3333, 2: 6667 });
  });
});

const anyVisits = fc
  .array(
    fc.record({ minutes: fc.nat(500_000), source: fc.constantFrom('direct', 'ads', 'mail', 'x') }),
    { minLength: 1, maxLength: 30 },
  )
  .map((all) => all.map(({ minutes, source }, i) => v(i + 1, minutes / 1440, source)));
const anyMilestones = fc.record({
  lead: fc.option(
    fc.record({
      at: fc.nat(500_000).map((minutes) => daysBefore(minutes / 1440)),
      visitId: fc.option(fc.integer({ min: 1, max: 30 })),
    }),
  ),
  qualifiedAt: fc.option(fc.nat(500_000).map((minutes) => daysBefore(minutes / 1440))),
});

describe.each(attributionModels)('%s, whatever the visits', (model) => {
  it('gives whole credits that sum to exactly 10,000, in any order of the visits', () => {
    fc.assert(
      fc.property(anyVisits, anyMilestones, (visits, milestones) => {
        const { credits } = creditsOf(model, visits, call, milestones);
        expect(credits.reduce((sum, { basisPoints }) => sum + basisPoints, 0)).toBe(10_000);
        for (const { basisPoints } of credits) {
          expect(Number.isInteger(basisPoints)).toBe(true);
          expect(basisPoints).toBeGreaterThanOrEqual(0);
        }
        expect(creditsOf(model, visits.toReversed(), call, milestones).credits).toEqual(credits);
      }),
      { numRuns: 400 },
    );
  });
  it('gives a single visit all', () => {
    for (const source of ['direct', 'ads'])
      expect(creditOf(model, [v(7, 3, source)], known).credits).toEqual({ 7: 10_000 });
  });
});

test('models that look at the ends treat both the same: reversed in time, credits are mirrored', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), (n) => {
      for (const model of ['linear', 'position_based'] as const) {
        const points = creditsOf(
          model,
          Array.from({ length: n }, (_, i) => v(i + 1, n - i)),
          call,
          unknown,
        ).credits.map(({ basisPoints }) => basisPoints);
        // Rounding goes to the latest: less than a point for each visit.
        points.forEach((one, i) =>
          expect(Math.abs(one - (points[n - 1 - i] ?? 0))).toBeLessThan(n),
        );
      }
    }),
  );
});

const way = (path: string, times: number, calls: number): Journey => ({
  sources: path.split(' '),
  times,
  calls,
});

describe('models of a whole company', () => {
  it('Shapley, by hand: each call is split among the sources on its way', () => {
    const journeys = [way('ads', 10, 4), way('ads mail', 5, 2), way('ads mail ads seo', 3, 3)];
    // ads 4 + 1 + 1, mail 1 + 1, seo 1, of 9.
    expect(Object.fromEntries(shapleyShares(journeys))).toEqual({
      ads: 6667,
      mail: 2222,
      seo: 1111,
    });
  });
  it('Shapley is what the definition says, over all coalitions', () => {
    const anyWay = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 6 })
      .chain((sources) => fc.integer({ min: 1, max: 9 }).map((calls) => ({ sources, calls })));
    fc.assert(
      fc.property(fc.array(anyWay, { minLength: 1, maxLength: 12 }), (ways) => {
        const journeys = ways.map(({ sources, calls }) => ({ sources, calls, times: calls }));
        const found = shapleyShares(journeys);
        const exact = shapleyByDefinition(journeys);
        const sum = [...exact.values()].reduce((a, b) => a + b, 0);
        for (const [source, value] of exact)
          expect(Math.abs((found.get(source) ?? 0) - (10_000 * value) / sum)).toBeLessThan(1);
      }),
    );
  });
  it('Markov, by hand: without ads 1 of 4 calls is left, without mail 2', () => {
    // 10 ways: 2 of 4 by ads alone, 1 of 4 by mail alone, 1 of 2 by ads and then mail.
    const journeys = [way('ads', 4, 2), way('mail', 4, 1), way('ads mail', 2, 1)];
    // From mail a call: 2/6. From ads: 2/6 straight, 2/6 on to mail. P = 0.6 × (1/3 + 1/9) + 0.4/3 = 0.4.
    // Without ads 0.4/3, without mail 0.6/3: removal effects 2/3 and 1/2, so 4 to 3.
    expect(Object.fromEntries(markovShares(journeys))).toEqual({ ads: 5714, mail: 4286 });
  });
  it('shares are whole, sum to 10,000, and know no order of sources or journeys', () => {
    const anyJourney = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 8 })
      .chain((sources) =>
        fc
          .tuple(fc.integer({ min: 1, max: 9 }), fc.nat(9))
          .map(([times, calls]) => ({ sources, times, calls: Math.min(times, calls) })),
      );
    fc.assert(
      fc.property(fc.array(anyJourney, { minLength: 1, maxLength: 20 }), (journeys) => {
        for (const shares of [markovShares, shapleyShares]) {
          const found = shares(journeys);
          expect([...found.values()].reduce((a, b) => a + b, 0)).toBe(10_000);
          expect([...found.values()].every(Number.isInteger)).toBe(true);
          for (const [source, share] of shares(journeys.toReversed()))
            expect(Math.abs((found.get(source) ?? 0) - share)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
  it('two sources that take part alike get the same', () => {
    const journeys = [way('a b', 4, 2), way('b a', 4, 2), way('a', 2, 1), way('b', 2, 1)];
    for (const shares of [markovShares, shapleyShares])
      expect(Object.fromEntries(shares(journeys))).toEqual({ a: 5000, b: 5000 });
  });
});

function shapleyByDefinition(journeys: readonly Journey[]) {
  const players = [...new Set(journeys.flatMap(({ sources }) => sources))];
  const worth = (set: readonly string[]) =>
    journeys
      .filter(({ sources }) => sources.every((source) => set.includes(source)))
      .reduce((sum, { calls }) => sum + calls, 0);
  const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
  return new Map(
    players.map((player) => {
      const others = players.filter((other) => other !== player);
      let value = 0;
      for (let mask = 0; mask < 2 ** others.length; mask++) {
        const set = others.filter((_, i) => mask & (1 << i));
        const weight =
          (factorial(set.length) * factorial(players.length - set.length - 1)) /
          factorial(players.length);
        value += weight * (worth([...set, player]) - worth(set));
      }
      return [player, value] as const;
    }),
  );
}
