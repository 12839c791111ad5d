import { setTimeout as pause } from 'node:timers/promises';
import { systemCtx, type OutboxNotifier, type Services } from '../../../platform/context.ts';
import { destinationsDue, type Place } from '../store-due.ts';
import { deliverDue } from './deliver-due.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Destinations that a process delivers to at the same time; work is mostly waiting for them. */
const PARALLEL = 16;
/** Whoever has more than this to deliver lets others have a turn. Milliseconds. */
const TURN_MS = 2000;
/** A destination whose deliveries all wait for another one, or for their worker, is left alone so long. */
const REST_MS = 500;
const [SHORTEST_MS, LONGEST_MS] = [40, 250];
/** How long a stopping worker waits for receivers; what is under way then is sent again. */
const STOP_MS = 12_000;

/**
 * Delivers what is due. The table is the queue, so whatever a worker left behind, or put off, is taken
 * up by any of them. Each destination has its own turn, so a slow one keeps only its own deliveries
 * waiting.
 */
export function startDeliveries(services: Services, notifier: OutboxNotifier) {
  const running = new Map<string, Promise<void>>();
  const resting = new Map<string, number>();
  let stopped = false;
  let last = '';
  const run = async (name: string, place: Place): Promise<void> => {
    const ctx = systemCtx(services, place.company_id, notifier, 'deliveries');
    const until = performance.now() + TURN_MS;
    const isOver = () => stopped || performance.now() > until;
    try {
      const found = await deliverDue(ctx, place.destination_id, isOver);
      if (!found) resting.set(name, performance.now() + REST_MS);
    } catch (error) {
      if (stopped) return;
      services.log.warn({ err: error, ...place }, 'deliveries stopped, and are retried');
      resting.set(name, performance.now() + 10 * REST_MS);
    } finally {
      running.delete(name);
    }
  };
  const startDue = async (): Promise<number> => {
    for (const [name, until] of resting) if (until < performance.now()) resting.delete(name);
    const due = (await destinationsDue(services.db.unscoped, services.now()))
      .map((place) => ({ place, name: `${place.company_id}/${place.destination_id}` }))
      .filter(({ name }) => !running.has(name) && !resting.has(name));
    // Who had its turn waits until the others had theirs.
    const after = due.findIndex(({ name }) => name === last) + 1;
    const next = [...due.slice(after), ...due.slice(0, after)].slice(0, PARALLEL - running.size);
    for (const { name, place } of next) {
      last = name;
      running.set(name, run(name, place));
    }
    return next.length;
  };
  const done = (async () => {
    for (let sleepMs = SHORTEST_MS; !stopped;) {
      const started = await startDue().catch(() => 0); // The database is away.
      sleepMs = started > 0 ? SHORTEST_MS : Math.min(sleepMs * 2, LONGEST_MS);
      await pause(sleepMs);
    }
  })();
  return {
    /** Whether it sends something now. */
    isDelivering: () => running.size > 0,
    stop: async () => {
      stopped = true;
      await done;
      await Promise.race([Promise.all(running.values()), pause(STOP_MS, null, { ref: false })]);
    },
  };
}
