import { describe, expect, it } from 'vitest';
import { decideMatch, type Candidate } from './rules.ts';

const now = new Date('2026-11-21T12:00:00Z');
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
let leases = 0;
/** A visit that began and was last heard of so many minutes ago; `over` 0 or less: it goes on. */
const seen = (visitorId: string | null, over: number, heard = Math.max(0, over)): Candidate => ({
  leaseId: ++leases,
  visitId: leases,
  visitorId,
  startedAt: ago(heard + 10),
  lastSeenAt: ago(heard),
  overAt: ago(over),
  windowHours: 24,
});
const decide = (candidates: Candidate[], known: string | null = null, hasVisited = false) => {
  const decision = decideMatch(now, candidates, known, hasVisited);
  return decision && [decision.label, decision.confidence, decision.candidate?.visitorId ?? null];
};

describe('a call', () => {
  it('without any visit is no one’s', () => expect(decide([])).toBeNull());
  it('during one visit is exact, whatever came before', () =>
    expect(decide([seen('a', -20), seen('b', 15)])).toEqual(['exact', 100, 'a']));
  it('after one visit is less sure with time', () => {
    expect(decide([seen('a', 1)])).toEqual(['recent', 100, 'a']);
    expect(decide([seen('a', 12 * 60)])).toEqual(['recent', 75, 'a']);
    expect(decide([seen('a', 24 * 60)])).toEqual(['recent', 50, 'a']);
  });
  it('after several visits of one visitor is theirs, and the latest visit', () =>
    expect(decide([seen('a', 600), seen('a', 60)])).toEqual(['recent', 98, 'a']));
  it('after several visitors is ambiguous, but those of hours ago weigh little', () => {
    const decision = decideMatch(now, [seen('a', 720), seen('b', 30)], null, false)!;
    expect(decision.ranked.map(({ share }) => share)).toEqual([96, 4]);
    expect(decide([seen('a', 720), seen('b', 30)])).toEqual(['ambiguous', 95, 'b']);
  });
  it('shared equally has shares that add up to 100', () => {
    const three = [seen('a', -5), seen('b', -5), seen(null, -5)];
    const { ranked, confidence } = decideMatch(now, three, null, false)!;
    expect(ranked.map(({ share }) => share)).toEqual([34, 33, 33]);
    expect(confidence).toBe(34);
  });
  it('of a known caller is theirs among several, and at least 80', () => {
    expect(decide([seen('a', -5), seen('b', -5)], 'b')).toEqual(['returning', 100, 'b']);
    expect(decide([seen('a', 1300), seen('b', 5)], 'a')).toEqual(['returning', 80, 'a']);
  });
  it('of a known caller beats a stranger of hours ago, not one who sees the number now', () => {
    expect(decide([seen('x', 1300)], 'a', true)).toEqual(['returning', 80, null]);
    expect(decide([seen('x', 60)], 'a', true)).toEqual(['recent', 98, 'x']);
    expect(decide([seen('x', -5)], 'a', true)).toEqual(['exact', 100, 'x']);
  });
  it('of a known caller without a visit since is no one’s', () =>
    expect(decide([], 'a', false)).toBeNull());
});
