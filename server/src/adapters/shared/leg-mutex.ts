import type { LegId } from '../../gateways/voice.ts';

/**
 * Per-leg FIFO mutex for webhook responses and requests to the carrier (in this process only): what
 * one of them has sent is what the carrier has when the next one decides.
 */
export type LegMutex = ReturnType<typeof createLegMutex>;
interface Waiter {
  /** Called when someone waits behind it. */
  hurry(): void;
  released: Promise<void>;
}

/** See LegMutex. */
export function createLegMutex() {
  const queues = new Map<LegId, Waiter[]>();
  return {
    /** Queues up. `hurry` is called when someone waits behind: decide with what is known. */
    acquire(leg: LegId, hurry: () => void = () => {}) {
      const queue = queues.get(leg) ?? [];
      queues.set(leg, queue);
      const ahead = [...queue];
      let resolveReleased!: () => void;
      const waiter: Waiter = {
        hurry,
        released: new Promise((resolve) => {
          resolveReleased = resolve;
        }),
      };
      queue.push(waiter);
      return {
        /** Tells everyone ahead to decide now. */
        hurry(): void {
          for (const one of ahead) one.hurry();
        },
        /**
         * Resolves when everyone ahead is done, or after `ms`: a carrier that hangs must not block
         * a hang-up.
         */
        async wait(ms: number): Promise<void> {
          let timer: NodeJS.Timeout | undefined;
          await Promise.race([
            Promise.all(ahead.map((one) => one.released)),
            new Promise((resolve) => {
              timer = setTimeout(resolve, ms);
            }),
          ]);
          clearTimeout(timer);
        },
        /** May be called more than once. */
        release(): void {
          resolveReleased();
          if (queue.includes(waiter)) queue.splice(queue.indexOf(waiter), 1);
          if (!queue.length && queues.get(leg) === queue) queues.delete(leg);
        },
      };
    },
  };
}
