import type { House } from '../../platform/context.ts';

export interface Waiting<T, R> {
  what: T;
  done: (result: R) => void;
  failed: (why: unknown) => void;
}
export interface Queue<T, R> {
  waiting: Waiting<T, R>[];
  running: boolean;
}
/** Queues of one process, by what they are for. */
export type Queues<T, R> = WeakMap<House, Map<string, Queue<T, R>>>;

/** How much shares a transaction at most. */
const together = 200;
export function queueOf<T, R>(all: Queues<T, R>, house: House, key: string): Queue<T, R> {
  const queues = all.get(house) ?? new Map<string, Queue<T, R>>();
  all.set(house, queues);
  const queue = queues.get(key) ?? { waiting: [], running: false };
  queues.set(key, queue);
  return queue;
}

/**
 * Wait for a turn of the queue: whatever waits by then is taken together, one lot after the other. Two lots side by side would hold
 * half as much each, and wait for each other at the conversations that both change. Resolves with what `take` says of it,
 * rejects when that fails.
 */
export function inTurn<T, R>(
  queue: Queue<T, R>,
  what: T,
  take: (batch: Waiting<T, R>[]) => Promise<void>,
): Promise<R> {
  const promise = new Promise<R>((done, failed) => queue.waiting.push({ what, done, failed }));
  if (!queue.running) {
    queue.running = true;
    void (async () => {
      // What comes in one burst reaches us in one turn of the loop: let it gather.
      await new Promise(setImmediate);
      while (queue.waiting.length) {
        const batch = queue.waiting.splice(0, together);
        await take(batch).catch((error: unknown) => {
          for (const w of batch) w.failed(error);
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
export async function storeOrEach<T, R>(
  batch: Waiting<T, R>[],
  store: (batch: readonly T[]) => Promise<readonly R[]>,
): Promise<void> {
  try {
    const results = await store(batch.map((w) => w.what));
    batch.forEach((w, i) => w.done(results[i]!));
  } catch {
    for (const one of batch)
      await store([one.what]).then(([result]) => one.done(result!), one.failed);
  }
}
