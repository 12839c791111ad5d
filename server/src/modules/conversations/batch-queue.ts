import type { Services } from '../../platform/context.ts';

export interface QueuedItem<T, R> {
  value: T;
  resolve: (result: R) => void;
  reject: (why: unknown) => void;
}
export interface BatchQueue<T, R> {
  waiting: QueuedItem<T, R>[];
  running: boolean;
}
/** Queues of one process, by what they are for. */
export type Queues<T, R> = WeakMap<Services, Map<string, BatchQueue<T, R>>>;

/** How much shares a transaction at most. */
const maxBatch = 200;
export function queueOf<T, R>(
  all: Queues<T, R>,
  services: Services,
  key: string,
): BatchQueue<T, R> {
  const queues = all.get(services) ?? new Map<string, BatchQueue<T, R>>();
  all.set(services, queues);
  const queue = queues.get(key) ?? { waiting: [], running: false };
  queues.set(key, queue);
  return queue;
}

/**
 * Wait for a turn of the queue: whatever waits by then is taken together, one lot after the other. Two lots side by side would hold
 * half as much each, and wait for each other at the conversations that both change. Resolves with what `take` says of it,
 * rejects when that fails.
 */
export function enqueueBatched<T, R>(
  queue: BatchQueue<T, R>,
  what: T,
  process: (batch: QueuedItem<T, R>[]) => Promise<void>,
): Promise<R> {
  const promise = new Promise<R>((done, failed) =>
    queue.waiting.push({ value: what, resolve: done, reject: failed }),
  );
  if (!queue.running) {
    queue.running = true;
    void (async () => {
      // What comes in one burst reaches us in one turn of the loop: let it gather.
      await new Promise(setImmediate);
      while (queue.waiting.length) {
        const batch = queue.waiting.splice(0, maxBatch);
        await process(batch).catch((error: unknown) => {
          for (const w of batch) w.reject(error);
        });
      }
      queue.running = false;
    })();
  }
  return promise;
}

/**
 * Store a batch; should that fail, each is tried alone, so that a bad one costs nobody else theirs. So is one that was alone before:
 * it may have lost a race (somebody began its conversation at the same moment), and wins it then.
 */
export async function storeWithFallback<T, R>(
  batch: QueuedItem<T, R>[],
  store: (batch: readonly T[]) => Promise<readonly R[]>,
): Promise<void> {
  try {
    const results = await store(batch.map((w) => w.value));
    batch.forEach((w, i) => w.resolve(results[i]!));
  } catch {
    for (const one of batch)
      await store([one.value]).then(([result]) => one.resolve(result!), one.reject);
  }
}
