import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatMoney, moneyToDecimal, parseMoney } from './money.ts';

const anyAmount = fc.maxSafeInteger();

test('an amount written as a decimal is parsed as the same amount', () => {
  fc.assert(
    fc.property(anyAmount, fc.constantFrom('USD', 'JPY', 'KWD'), (amount, currency) => {
      expect(parseMoney(moneyToDecimal(amount, currency), currency)).toBe(amount);
    }),
  );
});

test('amounts are written with the decimals of their currency', () => {
  expect([1250, 5, -5, 0, 123_456_789].map((n) => moneyToDecimal(n))).toEqual([
    '12.50',
    '0.05',
    '-0.05',
    '0.00',
    '1234567.89',
  ]);
  expect([moneyToDecimal(1250, 'JPY'), moneyToDecimal(1250, 'KWD')]).toEqual(['1250', '1.250']);
  expect(formatMoney(1250, 'JPY')).toBe('¥1,250');
  expect(() => moneyToDecimal(12.5)).toThrow(RangeError);
});

test('typed amounts are parsed exactly; other text is null', () => {
  const read: [string, number | null][] = [
    ['12', 1200],
    ['$ 1,250.5', 125_050],
    ['12,50', 1250],
    ['1.15', 115],
    ['8.2', 820],
    ['-0', 0],
    ['-3.10', -310],
    ['1,25,000', null],
    ['12.505', null],
    ['.', null],
    ['1e3', null],
    ['NaN', null],
    ['99999999999999999', null],
    ['', null],
  ];
  expect(read.map(([text]) => [text, parseMoney(text)])).toEqual(read);
});
