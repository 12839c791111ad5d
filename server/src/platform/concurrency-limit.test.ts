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

test('groups take turns, none has more than its part, and only the crowd is refused', async () => {
  const { begun, end, work } = begunWork();
  const turnstile = createConcurrencyLimit({
    ...{ slots: 3, waiting: 100, perGroup: { slots: 2, waiting: 4 } },
  });
  const run = (group: string, name: string) =>
    turnstile.run({ key: name, group }, work(name)).catch((error: { code: string }) => error.code);
  const crowd = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'].map((name) => run('a', name));
  await settled();
  expect(begun).toEqual(['a1', 'a2']);
  const others = [run('b', 'b1'), run('b', 'b2'), run('c', 'c1')];
  await settled();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5', 'a6']) {
    await settled();
    end(name);
  }
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5', 'a6']);
  expect(await Promise.all(others)).toEqual(['b1', 'b2', 'c1']);
  expect(await Promise.all(crowd)).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'rate.limited']);
});
