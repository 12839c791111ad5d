import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { split, sumMoney, timesMoney } from './money.ts';

const amount = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -100_000, max: 100_000 }));
const weight = fc.oneof(fc.nat(), fc.maxSafeNat(), fc.constant(0));
const weights = fc
  .array(weight, { minLength: 1, maxLength: 40 })
  .filter((list) => list.some((n) => n > 0));
const bigSum = (list: readonly number[]) => list.reduce((sum, n) => sum + BigInt(n), 0n);

describe('an amount that is split', () => {
  test('neither loses nor gains a cent', () => {
    fc.assert(
      fc.property(amount, weights, (total, list) => {
        expect(bigSum(split(total, list))).toBe(BigInt(total));
      }),
    );
  });

  test('gives each part its exact share, rounded down or up', () => {
    fc.assert(
      fc.property(amount, weights, (total, list) => {
        const whole = bigSum(list);
        split(total, list).forEach((part, i) => {
          const error = BigInt(part) * whole - BigInt(total) * BigInt(list[i]!);
          expect(error < whole && error > -whole).toBe(true);
        });
      }),
    );
  });

  test('gives nothing to a weight of zero, and zero weights do not change the others', () => {
    fc.assert(
      fc.property(amount, weights, (total, list) => {
        const parts = split(total, list);
        expect(parts.filter((_, i) => list[i] === 0).every((part) => part === 0)).toBe(true);
        const positive = list.filter((n) => n > 0);
        expect(parts.filter((_, i) => list[i]! > 0)).toEqual(split(total, positive));
      }),
    );
  });

  test('a larger weight never gets less, and of equal ones the earlier gets the odd cent', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), weights, (total, list) => {
        const parts = split(total, list);
        for (let a = 0; a < list.length; a++)
          for (let b = a + 1; b < list.length; b++) {
            if (list[a]! > list[b]!) expect(parts[a]).toBeGreaterThanOrEqual(parts[b]!);
            if (list[a] === list[b]) expect([0, 1]).toContain(parts[a]! - parts[b]!);
          }
      }),
    );
  });

  test('a refund is split like the charge', () => {
    fc.assert(
      fc.property(amount, weights, (total, list) => {
        expect(split(-total, list)).toEqual(split(total, list).map((part) => (part ? -part : 0)));
      }),
    );
  });

  test('examples', () => {
    expect(split(1999, [1, 1, 1])).toEqual([667, 666, 666]);
    expect(split(1000, [5, 0, 5])).toEqual([500, 0, 500]);
    expect(split(0, [1, 2])).toEqual([0, 0]);
    expect(split(-1999, [1, 1, 1])).toEqual([-667, -666, -666]);
    // 12 of 30 days, in seconds.
    expect(split(4900, [12 * 86_400, 18 * 86_400])).toEqual([1960, 2940]);
  });

  test('invalid amounts and weights are rejected', () => {
    for (const [total, list] of [
      [100, []],
      [100, [0, 0]],
      [100, [1, -1]],
      [100, [0.5]],
      [99.5, [1]],
      [2 ** 53, [1]],
      [Number.NaN, [1]],
    ] as const)
      expect(() => split(total, list)).toThrow(RangeError);
  });
});

test('sums and products are exact, or rejected', () => {
  expect(sumMoney([])).toBe(0);
  expect(sumMoney([Number.MAX_SAFE_INTEGER, 5, -5])).toBe(Number.MAX_SAFE_INTEGER);
  expect(timesMoney(1999, 12)).toBe(23_988);
  expect(() => sumMoney([Number.MAX_SAFE_INTEGER, 1])).toThrow(RangeError);
  expect(() => timesMoney(Number.MAX_SAFE_INTEGER, 2)).toThrow(RangeError);
  expect(() => timesMoney(10.5, 2)).toThrow(RangeError);
});
