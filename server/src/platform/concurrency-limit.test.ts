import { expect, test } from 'vitest';
import { createConcurrencyLimit } from './concurrency-limit.ts';

/** Work that ends on request. */
function begunWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    end: (name: string) => ends.get(name)!(),
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve(name));
      }),
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('runs as many as there are slots, one per key, in order of arrival; the rest is refused', async () => {
  const { begun, end, work } = begunWork();
  const turnstile = createConcurrencyLimit({ slots: 2, waiting: 3 });
  const all = [
    turnstile.run('a', work('a1')),
    turnstile.run('a', work('a2')),
    turnstile.run('b', work('b1')),
    turnstile.run(null, work('c')),
  ];
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  all.push(turnstile.run(null, work('d')));
  await expect(turnstile.run('e', work('e'))).rejects.toMatchObject({ code: 'rate.limited' });
  end('a1');
  await settled();
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  end('a2');
  end('b1');
  await settled();
  expect(begun).toEqual(['a1', 'b1', 'a2', 'c', 'd']);
  end('c');
  end('d');
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'b1', 'c', 'd']);
});

test('failed work frees its slot as well', async () => {
  const turnstile = createConcurrencyLimit({ slots: 1, waiting: 5 });
  const failed = expect(turnstile.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  );
  expect(await turnstile.run('a', async () => 'next')).toBe('next');
  await failed;
});
