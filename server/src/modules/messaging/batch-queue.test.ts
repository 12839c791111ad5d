import { expect, test } from 'vitest';
import type { Services } from '../../platform/context.ts';
import { createBatchQueue, storeWithFallback, type PendingValue } from './batch-queue.ts';

const services = {} as Services;

test('values that arrive while a batch is stored form the next one, and batches never overlap', async () => {
  const queue = createBatchQueue<number, number>({ maxBatch: 3 });
  const batches: number[][] = [];
  let storing = 0;
  const store = async (batch: readonly PendingValue<number, number>[]) => {
    expect(++storing).toBe(1);
    batches.push(batch.map((pending) => pending.value));
    await new Promise(setImmediate);
    storing--;
    for (const { value, resolve } of batch) resolve(value * 2);
  };
  const add = (n: number) => queue.add(services, 'company', n, store);
  expect(await Promise.all([1, 2, 3, 4].map(add))).toEqual([2, 4, 6, 8]);
  expect(batches).toEqual([[1, 2, 3], [4]]);
  // A queue that is empty again accepts new values.
  expect(await add(5)).toBe(10);
  await queue.idle();
});

test('a full batch does not wait for more', async () => {
  const queue = createBatchQueue<number, void>({ maxBatch: 2, gatherMs: 3_600_000 });
  const store = async (batch: readonly PendingValue<number, void>[]) => {
    for (const { resolve } of batch) resolve();
  };
  await Promise.all([1, 2].map((n) => queue.add(services, 'company', n, store)));
});

test('a value that cannot be stored fails alone', async () => {
  const queue = createBatchQueue<number, string>({ maxBatch: 10 });
  const store = (values: readonly number[]) =>
    values.includes(2)
      ? Promise.reject(new Error('bad value'))
      : Promise.resolve(values.map((n) => `stored ${n}`));
  const add = (n: number) =>
    queue.add(services, 'company', n, (batch) => storeWithFallback(batch, store));
  expect(await Promise.allSettled([1, 2, 3].map(add))).toMatchObject([
    { value: 'stored 1' },
    { reason: { message: 'bad value' } },
    { value: 'stored 3' },
  ]);
});
