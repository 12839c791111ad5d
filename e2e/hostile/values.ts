export function createRandom(seed: number) {
  let a = seed >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    under: (n: number) => Math.floor(next() * n),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    one: (chance: number) => next() < chance,
  };
}
export type SeededRandom = ReturnType<typeof createRandom>;

export const words = [
  'toString',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  'then',
  'length',
];
export const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '￿',
  '\u{1F600}'.repeat(50),
  '%',
  '%00',
  '..',
  '../../etc/passwd',
  "'; drop table x; --",
  '${7*7}',
  '<script>',
  '=1+1',
  'null',
  'NaN',
  '-0',
  '1e309',
  '9'.repeat(40),
  '0x10',
  'true',
  '[',
  '{',
  '[]',
  '{"toString":1}',
  '{"a":[}',
  'x'.repeat(3000),
  '\r\nx: y',
  '2026-02-30',
  '9999-99-99T99:99:99Z',
  '+1',
  '+12125550147',
  ...words,
];
export const numbers = [0, -1, 1, 0.5, 1e9, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e300];
const deep = (n: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < n; i++) value = i % 2 ? { a: value } : [value];
  return value;
};
export function randomValue(d: SeededRandom): unknown {
  switch (d.under(9)) {
    case 0:
    case 1:
    case 2:
      return d.pick(texts);
    case 3:
      return d.pick(numbers);
    case 4:
      return d.pick([null, true, false, [], {}, [null], [[]], [{}]]);
    case 5:
      return { [d.pick(words)]: d.pick([1, 'x', {}, null]) };
    case 6:
      return [d.pick(texts), d.pick(numbers), { toString: 1 }];
    case 7:
      return d.one(0.1) ? deep(d.pick([20, 60, 3000])) : { id: d.pick(numbers), a: { valueOf: 1 } };
    default:
      return Array.from({ length: d.pick([1, 30, 300]) }, () => d.pick(numbers));
  }
}
export const asText = (v: unknown): string =>
  typeof v === 'string' ? v : (JSON.stringify(v) ?? '');
