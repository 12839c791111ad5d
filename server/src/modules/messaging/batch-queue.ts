import type { Services } from '../../platform/context.ts';

interface Pending<T, R> {
  value: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}
/** A value that waits for its batch; resolve or reject it once it is stored. */
export type { Pending as PendingValue };

interface Queue<T, R> {
  waiting: Pending<T, R>[];
  /** Ends the gathering early, because a whole batch waits. */
  full: () => void;
}
export interface BatchQueue<T, R> {
  /**
   * Adds a value to the queue `key` of this process. Whatever waits when the previous batch of that
   * key is done becomes the next one. Batches of a key never overlap: two at once would hold half
   * as much each and wait for each other's rows. Resolves or rejects as `process` decides; a batch
   * whose `process` rejects rejects with it.
   */
  add(
    services: Services,
    key: string,
    value: T,
    process: (batch: Pending<T, R>[]) => Promise<void>,
  ): Promise<R>;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
}

/**
 * Values that arrive while a batch is being stored share the next transaction. `gatherMs`: a batch
 * that isn't full also waits that long for more, because a transaction costs the same for one value
 * as for many; without it, only what arrives in the same turn of the event loop is gathered.
 */
export function createBatchQueue<T, R>(options: {
  maxBatch: number;
  gatherMs?: number;
}): BatchQueue<T, R> {
  const { maxBatch, gatherMs } = options;
  const queues = new WeakMap<Services, Map<string, Queue<T, R>>>();
  const running = new Set<Promise<void>>();

  const gather = (queue: Queue<T, R>) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      queue.full = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const drain = async (
    queue: Queue<T, R>,
    process: (batch: Pending<T, R>[]) => Promise<void>,
    remove: () => void,
  ): Promise<void> => {
    if (gatherMs === undefined) await new Promise(setImmediate);
    while (queue.waiting.length) {
      if (gatherMs !== undefined && queue.waiting.length < maxBatch) await gather(queue);
      const batch = queue.waiting.splice(0, maxBatch);
      await process(batch).catch((error: unknown) => {
        for (const pending of batch) pending.reject(error);
      });
    }
    remove(); // in the turn that found it empty, or a value could be added to a queue that ended
  };
  return {
    add: (services, key, value, process) => {
      const byKey = queues.get(services) ?? new Map<string, Queue<T, R>>();
      queues.set(services, byKey);
      const existing = byKey.get(key);
      const queue = existing ?? { waiting: [], full: () => {} };
      const result = new Promise<R>((resolve, reject) => {
        queue.waiting.push({ value, resolve, reject });
      });
      if (existing) {
        if (queue.waiting.length >= maxBatch) queue.full();
        return result;
      }
      byKey.set(key, queue);
      const done: Promise<void> = drain(queue, process, () => byKey.delete(key)).finally(() =>
        running.delete(done),
      );
      running.add(done);
      return result;
    },
    idle: async () => {
      while (running.size) await Promise.all(running);
    },
  };
}

/**
 * Stores a batch in one go. If that fails, each value is stored alone, so that one that can't be
 * stored fails alone; a batch of one is retried too, because it may have lost a race (its
 * conversation was created at the same moment).
 */
export async function storeWithFallback<T, R>(
  batch: readonly Pending<T, R>[],
  store: (batch: readonly T[]) => Promise<readonly R[]>,
): Promise<void> {
  try {
    const results = await store(batch.map((pending) => pending.value));
    // One result for each value; R may be void.
    batch.forEach((pending, i) => pending.resolve(results[i] as R));
  } catch {
    for (const one of batch)
      await store([one.value]).then(([result]) => one.resolve(result as R), one.reject);
  }
}
