import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quietUntil, bestRule, matchesKeyword } from './rules.ts';

const rule = (keyword: string, match_mode: string, id = 1) => ({ id, keyword, match_mode });

describe('keyword rules', () => {
  it('match the whole message, its first word or any word, ignoring case and punctuation', () => {
    for (const [mode, text, matches] of [
      ['exact', 'join', true],
      ['exact', ' JOIN! ', true],
      ['exact', 'join now', false],
      ['exact', 'rejoin', false],
      ['first_word', 'Join now please', true],
      ['first_word', 'I join', false],
      ['first_word', 'joining', false],
      ['contains', 'may I JOIN, please?', true],
      ['contains', 'adjoining', false],
      ['contains', '', false],
    ] as const)
      expect([text, matchesKeyword(rule('Join', mode), text)]).toEqual([text, matches]);
  });
  it('the strictest rule replies, then the longest keyword', () => {
    const rules = [
      rule('car', 'contains', 1),
      rule('car', 'first_word', 2),
      rule('wash', 'contains', 3),
    ];
    expect(bestRule(rules, 'car')!.id).toBe(2);
    expect(bestRule([...rules, rule('car', 'exact', 4)], 'Car')!.id).toBe(4);
    expect(bestRule(rules, 'a wash for my car')!.id).toBe(3);
    expect(bestRule(rules, 'hello')).toBeNull();
  });
  it('matching never throws and finds only words in the text', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.string({ minLength: 1, maxLength: 30 }),
        fc.constantFrom('exact', 'first_word', 'contains'),
        (text, keyword, mode) => {
          if (matchesKeyword(rule(keyword, mode), text))
            expect(text.normalize('NFKC').toLowerCase()).toContain(
              keyword.normalize('NFKC').toLowerCase(),
            );
        },
      ),
    );
  });
  it('a marketing reply after 21:00 waits until 8:00', () => {
    expect(quietUntil(new Date('2026-11-21T17:00:00Z'), 'America/New_York')).toBeNull();
    expect(quietUntil(new Date('2026-11-22T03:30:10Z'), 'America/New_York')!.toISOString()).toBe(
      '2026-11-22T13:01:00.000Z',
    );
    expect(quietUntil(new Date('2026-11-21T11:00:00Z'), 'America/Los_Angeles')!.toISOString()).toBe(
      '2026-11-21T16:00:00.000Z',
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (minutes) => {
        const now = new Date(Date.UTC(2026, 0, 1) + minutes * 60_000);
        const until = quietUntil(now, 'America/Chicago');
        if (until) {
          expect(until.getTime()).toBeGreaterThan(now.getTime());
          expect(until.getTime() - now.getTime()).toBeLessThanOrEqual(12 * 3_600_000);
        }
      }),
    );
  });
});
