import { expect, test } from 'vitest';
import { visibleText } from './contacts/rules.ts';
import { normalizePhone, splitDialed } from './phone.ts';

test.each([
  ['0044 20 7946 0019', '+442079460019'],
  ['011 44 20 7946 0019', '+442079460019'],
  ['tel:+1-212-555-4421', '+12125554421'],
  ['tel:+12125554421;ext=5', '+12125554421'],
  ['+1 (212) 555-4422 ext. 5', '+12125554422'],
  ['212.555.4427 x12', '+12125554427'],
  ['２１２５５５４４２３', '+12125554423'],
  ['\u202a+1 212-555-4424\u202c', '+12125554424'],
  ['1 800 FLOWERS', '+18003569377'],
  ['(800) FLOWERS', '+18003569377'],
  ['1-800-FLOWERSNOW', '+18003569377'],
  ['212/555-4425', '+12125554425'],
  ["'2125554426", '+12125554426'],
])('%s is parsed as a phone number', (written, number) => {
  expect(normalizePhone(written)).toBe(number);
});

test.each([
  '555 Holly Rd',
  'Dana',
  '12',
  '2125554423 or 2125554424',
  '+',
  'tel:',
  'x5',
  '12125554429123',
])('%s is not a phone number', (written) => {
  expect(normalizePhone(written)).toBeNull();
});

test('invisible characters are removed from names, except joiners of emoji and scripts', () => {
  expect(
    [
      '\u200b',
      '\u202eevil',
      '\u200bZero\u200bWidth',
      ' Dana\u0007 ',
      '👩‍👩‍👧',
      'می‌خواهم',
      'a\tb\nc',
    ].map(visibleText),
  ).toEqual(['', 'evil', 'ZeroWidth', 'Dana', '👩‍👩‍👧', 'می‌خواهم', 'a\tb\nc']);
});

test.each([
  ['+1 (212) 555-4422 ext. 5', '+1 (212) 555-4422', '5'],
  ['2125554427x12', '2125554427', '12'],
  ['tel:+12125554421;ext=5', 'tel:+12125554421', '5'],
  ['2015553040,,123#', '2015553040', '123#'],
  ['2015553040;123', '2015553040', '123'],
  ['2015553040w1p2', '2015553040', '12'],
  ['1-800-FLOWERS', '1-800-FLOWERS', ''],
  ['+44 20 7946 0019', '+44 20 7946 0019', ''],
  ['', '', ''],
])('%s is dialed as %s, then %s', (dialed, number, keys) => {
  expect(splitDialed(dialed)).toEqual({ number, keys });
});
