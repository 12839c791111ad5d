import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRate, shareOf, taxOf, taxWithin } from './tax.ts';

test('is added to prices, or is part of them; half a cent is rounded away from zero', () => {
  expect(taxOf(3900, { rate: 8875, included: false })).toBe(346);
  expect(taxOf(3900, { rate: 20_000, included: true })).toBe(650);
  expect(taxOf(50, { rate: 1000, included: false })).toBe(1);
  expect(taxOf(-50, { rate: 1000, included: false })).toBe(-1);
  expect(taxOf(49, { rate: 1000, included: false })).toBe(0);
  expect(taxOf(3900, { rate: 0, included: false })).toBe(0);
  expect(formatRate(8875)).toBe('8.875%');
  expect(formatRate(20_000)).toBe('20%');
});

test('what is added and what it then is within agree, to the cent', () => {
  fc.assert(
    fc.property(fc.nat(200_000_000), fc.nat(100_000), (cents, rate) => {
      const tax = taxOf(cents, { rate, included: false });
      expect(Math.abs(taxWithin(cents + tax, rate) - tax)).toBeLessThanOrEqual(1);
      expect(Math.abs(tax - (cents * rate) / 100_000)).toBeLessThanOrEqual(0.5 + 1e-6);
    }),
  );
});

test('shares of a tax add up to it, however it is divided', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.nat(100_000), (whole, tax) => {
      const parts = [0, 0.1, 0.5, 0.99, 1].map((part) => Math.round(whole * part));
      const each = parts
        .slice(1)
        .map((to, i) => shareOf(tax, to, whole) - shareOf(tax, parts[i]!, whole));
      expect(each.reduce((sum, cents) => sum + cents, 0)).toBe(tax);
      expect(each.every((cents) => cents >= 0)).toBe(true);
    }),
  );
});
