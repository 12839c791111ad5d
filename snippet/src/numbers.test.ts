import { describe, expect, it } from 'vitest';
import { finderOf, type Swap } from './numbers.ts';

const swap = (target: string, number: string, code = '1'): Swap => ({
  target,
  number,
  display: {
    national: number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3'),
    international: `+${code}-${number.slice(code.length + 1)}`,
    e164: number,
  },
});
/** A text as a visitor sees it. */
function seen(text: string, swaps: Swap[] = [swap('+12125550100', '+16285558001')]): string {
  let shown = '';
  let at = 0;
  for (const one of finderOf(swaps)?.(text) ?? []) {
    shown += text.slice(at, one.from) + one.text;
    at = one.to;
  }
  return shown + text.slice(at);
}

describe('a number keeps the form that the page gave it', () => {
  it.each([
    ['(212) 555-0100', '(628) 555-8001'],
    ['Call 212-555-0100 now', 'Call 628-555-8001 now'],
    ['212.555.0100', '628.555.8001'],
    ['212 555 0100', '628 555 8001'],
    ['2125550100', '6285558001'],
    ['+1 (212) 555-0100', '+1 (628) 555-8001'],
    ['+12125550100', '+16285558001'],
    ['1-212-555-0100', '1-628-555-8001'],
    ['212\u00a0555\u00a00100', '628\u00a0555\u00a08001'],
    ['212\u2011555\u20110100', '628\u2011555\u20118001'],
    ['212/555-0100', '628/555-8001'],
    ['Tel.:212-555-0100, fax 212-555-0199', 'Tel.:628-555-8001, fax 212-555-0199'],
    ['212-555-0100/212-555-0100', '628-555-8001/628-555-8001'],
    ['(212) 555-0100 x204', '(628) 555-8001 x204'],
  ])('%s', (text, expected) => expect(seen(text)).toBe(expected));

  it.each([
    ['1-800-FLOWERS', '1-866-555-0123'],
    ['1-800-flowers today', '1-866-555-0123 today'],
    ['800.FLOWERS', '866.555.0123'],
    ['1-800-FLOWERSNOW', '1-866-555-0123'],
    ['1-800-FLO-WERS', '1-866-555-0123'],
    ['1 (800) FLOWERS', '1 (866) 555 0123'],
  ])('a word: %s', (text, expected) =>
    expect(seen(text, [swap('+18003569377', '+18665550123')])).toBe(expected),
  );

  it('numbers of other countries', () => {
    const uk = [swap('+442079460018', '+442079460999', '44')];
    expect(seen('020 7946 0018', uk)).toBe('020 7946 0999');
    expect(seen('+44 20 7946 0018', uk)).toBe('+44 20 7946 0999');
  });

  it('a number of another country takes its own form', () => {
    const other = [swap('+12125550100', '+442079460999', '44')];
    expect(seen('212-555-0100', other)).toBe('+442079460999');
    expect(seen('+1 212 555 0100', other)).toBe('+44-2079460999');
    expect(seen('(212) 555-0100', other)).toBe('+442079460999');
  });
});

it('what only looks like the number stays', () => {
  for (const text of [
    '12125550100123',
    '92125550100',
    'A2125550100',
    'x_2125550100',
    '212-555-01000',
    '212-555-010',
    '212-555-0100a',
    '212-555-0101',
    '212 … 555 … 0100',
    '+2125550100',
    '800-555',
    '',
  ])
    expect(seen(text)).toBe(text);
});

it('two numbers of a page have two of their own', () => {
  const both = [swap('+12125550100', '+16285558001'), swap('+12125550101', '+16285558002')];
  expect(seen('212-555-0101 or 212-555-0100', both)).toBe('628-555-8002 or 628-555-8001');
});

it('no targets: nothing is looked for', () => expect(finderOf([])).toBeNull());

it('a long text without the number takes no time', () => {
  const text = '2125 '.repeat(200_000);
  const began = performance.now();
  expect(seen(text)).toBe(text);
  expect(performance.now() - began).toBeLessThan(2000);
});
