import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keypadDigits } from '../phone.ts';
import {
  commonWords,
  hasShape,
  isSequential,
  matchNumber,
  savedPatterns,
  spelled,
  patternDigits,
} from './vanity.ts';

const digits = (n: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: n, maxLength: n }).map((d) => d.join(''));
const national = fc.tuple(fc.constantFrom('212', '415', '800'), digits(7)).map(([a, l]) => a + l);
const word = fc
  .array(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), { minLength: 2, maxLength: 7 })
  .map((w) => w.join(''));

describe('vanity patterns', () => {
  it('a word matches wherever its keypad digits are', () => {
    fc.assert(
      fc.property(national, word, fc.nat(5), (number, w, at) => {
        const place = 3 + Math.min(at, 7 - w.length);
        const with_ = number.slice(0, place) + keypadDigits(w) + number.slice(place + w.length);
        expect(matchNumber(with_, { words: [w], match: 'Contains' })).not.toBeNull();
        expect(matchNumber(with_, { words: [w], match: 'Ends with' }) !== null).toBe(
          with_.endsWith(keypadDigits(w)),
        );
        expect(matchNumber(with_, { words: [w], match: 'Starts with' }) !== null).toBe(
          with_.startsWith(keypadDigits(w), 3),
        );
      }),
    );
  });
  it('the spelling has the same keypad digits as the number', () => {
    fc.assert(
      fc.property(national, word, (number, w) => {
        const found = matchNumber(number.slice(0, 10 - w.length) + keypadDigits(w), {
          words: [w],
          match: 'Ends with',
        });
        expect(found?.text?.replace(/-/g, '')).toBeDefined();
        expect(keypadDigits(found!.text!.replace(/-/g, ''))).toBe(
          number.slice(0, 10 - w.length) + keypadDigits(w),
        );
      }),
    );
  });
  it('“contains” finds everything that “starts with” and “ends with” find', () => {
    fc.assert(
      fc.property(
        national,
        fc.oneof(word, digits(3), fc.constantFrom(...savedPatterns.map((p) => p.id))),
        (number, pattern) => {
          for (const match of ['Starts with', 'Ends with'] as const)
            if (matchNumber(number, { pattern, match }))
              expect(matchNumber(number, { pattern, match: 'Contains' })).not.toBeNull();
        },
      ),
    );
  });
  it('every built-in pattern matches its own example', () => {
    for (const { id, example } of savedPatterns)
      expect(
        matchNumber(`415555${keypadDigits(example).padStart(4, '0')}`, {
          pattern: id,
          match: 'Ends with',
        }),
        id,
      ).not.toBeNull();
  });
  it('equal letters match equal digits, different letters different ones', () => {
    fc.assert(
      fc.property(digits(4), (d) => {
        expect(hasShape(d, 'AABB')).toBe(d[0] === d[1] && d[2] === d[3] && d[0] !== d[2]);
        expect(hasShape(d, 'ABAB')).toBe(d[0] === d[2] && d[1] === d[3] && d[0] !== d[1]);
        expect(hasShape(d, 'AAAA')).toBe(new Set(d).size === 1);
      }),
    );
  });
  it('a run rises or falls by one per digit', () => {
    expect(['1234', '9876', '4567'].every(isSequential)).toBe(true);
    expect(['1235', '1111', '9012', '123'].some(isSequential)).toBe(false);
  });
  it('a star matches any digit; brackets and dashes are ignored', () => {
    expect(patternDigits('(23*8)')).toBe('23*8');
    expect(matchNumber('4155552378', { pattern: '23*8', match: 'Ends with' })).toEqual({
      text: null,
    });
    expect(matchNumber('4155552379', { pattern: '23*8', match: 'Ends with' })).toBeNull();
  });
  it('a short pattern does not match in the area code', () => {
    expect(matchNumber('4155552368', { pattern: '415', match: 'Contains' })).toBeNull();
    expect(matchNumber('4155552368', { pattern: '4155552', match: 'Contains' })).toBeNull();
    expect(matchNumber('4155552368', { pattern: '41555523', match: 'Starts with' })).not.toBeNull();
  });
  it('a spelled word across the middle dash is not split', () => {
    expect(spelled('8003569377', 'FLOWERS', 3)).toBe('800-FLOWERS');
    expect(spelled('4155552255', 'CALL', 6)).toBe('415-555-CALL');
  });
  it('common words have four letters, the length of the line number', () => {
    expect(commonWords.every((w) => /^[A-Z]{4}$/.test(w))).toBe(true);
  });
});
