import { describe, expect, it } from 'vitest';
import { formatClock, reservationSecondsLeft, type CartItem } from './cart.ts';
import { emptySearch, searchFieldOf, toNumberSearch } from './search.ts';

describe('searching for numbers', () => {
  it('sends only the fields that are filled in', () => {
    expect(toNumberSearch(emptySearch)).toEqual({
      country: 'US',
      category: 2,
      match: 'Contains',
      limit: 12,
    });
    expect(
      toNumberSearch({
        ...emptySearch,
        areaCode: '415',
        city: ' ',
        pattern: ' 2368 ',
        match: 'Ends with',
      }),
    ).toEqual({
      country: 'US',
      category: 2,
      areaCode: '415',
      pattern: '2368',
      match: 'Ends with',
      limit: 12,
    });
  });
  it('a toll-free search sends its prefix and ignores the place', () => {
    expect(
      toNumberSearch({
        ...emptySearch,
        kind: 'tollFree',
        state: 'CA',
        areaCode: '415',
        country: 'CA',
        words: ['HOME'],
      }),
    ).toEqual({
      country: 'US',
      category: 1,
      areaCode: '8**',
      words: ['HOME'],
      match: 'Contains',
      limit: 12,
    });
  });
  it('a saved pattern takes precedence over typed digits', () => {
    expect(toNumberSearch({ ...emptySearch, pattern: '12', shape: 'AABB' }).pattern).toBe('AABB');
  });
  it('shows API field errors at the form field they belong to', () => {
    expect([searchFieldOf('areaCode'), searchFieldOf('words.0'), searchFieldOf('unheard')]).toEqual(
      ['areaCode', 'words', 'pattern'],
    );
  });
  it('the reservation that expires first counts; unavailable numbers are ignored', () => {
    const line = (seconds: number, taken = false) =>
      ({ expiresAt: new Date(seconds * 1000).toISOString(), taken }) as CartItem;
    expect(reservationSecondsLeft([line(100), line(70), line(40, true)], 10_000)).toBe(60);
    expect(reservationSecondsLeft([line(5)], 10_000)).toBeNull();
    expect(formatClock(61)).toBe('1:01');
  });
});
