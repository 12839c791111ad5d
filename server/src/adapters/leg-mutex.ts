import type { LegId } from '../gateways/voice.ts';

/**
 * Who gives a leg its document, one after the other in this process: webhooks being answered, and requests. So what one of
 * them decided by is what the carrier has when the next one looks.
 */
export type LegMutex = ReturnType<typeof createLegMutex>;
interface Waiter {
  hurry(): void;
  released: Promise<void>;
}

export function createLegMutex() {
  const queues = new Map<LegId, Waiter[]>();
  return {
    /** Take a place behind those who are there. `hurry`: somebody behind waits, so decide by what is known. */
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
        hurry(): void {
          for (const one of ahead) one.hurry();
        },
        /** Resolves when those ahead are done, or after `ms`: one whose carrier hangs must not hold up a hang-up for ever. */
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
        /** Once or more often. */
        release(): void {
          resolveReleased();
          if (queue.includes(waiter)) queue.splice(queue.indexOf(waiter), 1);
          if (!queue.length && queues.get(leg) === queue) queues.delete(leg);
        },
      };
    },
  };
}
