import { ApiError } from './errors.ts';
import { firstOf } from './must-be.ts';

interface QueuedTask {
  key: string | null;
  begin: () => void;
}

/**
 * Runs expensive work in order of arrival: at most `slots` pieces at once in this process, and one
 * at a time per key. When `waiting` pieces already wait, the next is refused (`rate.limited`).
 */
export function createConcurrencyLimit({ slots, waiting }: { slots: number; waiting: number }) {
  const queue: QueuedTask[] = [];
  const keys = new Set<string>();
  let inside = 0;
  const next = () => {
    while (inside < slots) {
      const at = queue.findIndex(({ key }) => key === null || !keys.has(key));
      if (at < 0) return;
      const one = firstOf(queue.splice(at, 1));
      inside += 1;
      if (one.key !== null) keys.add(one.key);
      one.begin();
    }
  };
  return {
    /** @param key null: any number of these may run in parallel, up to the slots */
    run: async <T>(key: string | null, work: () => Promise<T>): Promise<T> => {
      if (queue.length >= waiting) throw new ApiError('rate.limited', { seconds: 5 });
      await new Promise<void>((begin) => {
        queue.push({ key, begin });
        next();
      });
      try {
        return await work();
      } finally {
        inside -= 1;
        if (key !== null) keys.delete(key);
        next();
      }
    },
  };
}
