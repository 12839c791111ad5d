import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepUnchanged } from './keep-unchanged.ts';

const row = (id: number, text = 'Hi') => ({ id, text, from: { name: 'Una' } });

test('rows that a new one moves stay the same objects', () => {
  const before = { data: [row(2), row(1)], meta: { total: 2 } };
  const fresh = row(3);
  const after = keepUnchanged(before, { data: [fresh, row(2), row(1)], meta: { total: 3 } });
  const { data } = after as typeof before;
  expect(data).toEqual([fresh, row(2), row(1)]);
  expect([data[0] === fresh, data[1] === before.data[0], data[2] === before.data[1]]).toEqual([
    true,
    true,
    true,
  ]);
});

test('of a row that changed, what didn’t stays', () => {
  const before = [row(2), row(1)];
  const after = keepUnchanged(before, [row(1, 'Bye'), row(2)]) as typeof before;
  expect(after[0]).toEqual(row(1, 'Bye'));
  expect(after[0]!.from).toBe(before[1]!.from);
  expect(after[1]).toBe(before[0]);
});

test('an equal answer is the earlier one', () => {
  const before = { data: [row(1)], first: null };
  expect(keepUnchanged(before, structuredClone(before))).toBe(before);
});

const plain = { noNullPrototype: true };
test('whatever came before, the result is equal to the later answer', () => {
  const answers = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(0, 1, null, 'a', undefined, true),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.array(fc.record({ id: fc.constantFrom(1, 2, 'a', null), it: tie('value') }, plain), {
        maxLength: 4,
      }),
      fc.dictionary(fc.constantFrom('a', 'b', 'id'), tie('value'), plain),
    ),
  })).value;
  fc.assert(
    fc.property(answers, answers, (before, after) => {
      expect(keepUnchanged(before, after)).toStrictEqual(after);
    }),
    { numRuns: 2000 },
  );
});
