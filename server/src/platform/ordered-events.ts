import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { systemCtx, type OutboxNotifier, type Services, type TxCtx } from './context.ts';
import { LANES } from './ordered-lanes.ts';
import type { Subscriber } from './outbox-relay.ts';
import { enqueueSubscribers } from './subscriber-jobs.ts';

// The system role: finds what waits in every company, then works in each one’s own transaction.

/** What one transaction handles at most. */
const BATCH = 20;
/** Lanes that a process works on at the same time. */
const PARALLEL = 4;
/** What comes in meanwhile is handled together. */
const [SHORTEST_MS, LONGEST_MS] = [40, 250];
interface Lane {
  company_id: number;
  lane: number;
}
interface Waiting {
  seq: number;
  subscriber: string;
  data: unknown;
}

/**
 * Runs the subscribers that want their events in order (`inOrderOf`), which the relay puts into
 * `ordered_event`. A lane is worked on by one process at a time, many events a transaction. One whose
 * handler throws goes on as a job of its own, which is repeated, so that it holds up no other.
 */
export function startOrderedEvents(
  services: Services,
  notifier: OutboxNotifier,
  subscribers: readonly Subscriber[],
): { stop(): Promise<void> } {
  const byName = new Map(subscribers.filter((one) => one.inOrderOf).map((one) => [one.name, one]));
  const running = new Map<string, Promise<void>>();
  let stopped = false;
  let last = '';
  const nameOf = ({ company_id, lane }: Lane) => `${company_id}/${lane}`;
  const startLanes = async (): Promise<number> => {
    const waiting = (await lanesWaiting(services)).filter((lane) => !running.has(nameOf(lane)));
    // Whoever had its turn waits until the others had theirs.
    const after = waiting.findIndex((lane) => nameOf(lane) === last) + 1;
    const turns = [...waiting.slice(after), ...waiting.slice(0, after)];
    const next = turns.slice(0, PARALLEL - running.size);
    for (const lane of next) {
      last = nameOf(lane);
      const work = runLane(services, notifier, byName, lane)
        .catch(async (error: unknown) => {
          if (!stopped) services.log.warn({ err: error }, 'events could not be handled, retrying');
          await pause(500);
        })
        .finally(() => running.delete(nameOf(lane)));
      running.set(nameOf(lane), work);
    }
    return next.length;
  };
  const done = (async () => {
    for (let sleepMs = SHORTEST_MS; !stopped;) {
      const started = await startLanes().catch(() => 0); // The database is away.
      sleepMs = started > 0 ? SHORTEST_MS : Math.min(sleepMs * 2, LONGEST_MS);
      if (running.size === PARALLEL) await Promise.race(running.values());
      await pause(sleepMs);
    }
    await Promise.all(running.values());
  })();
  return {
    stop: async () => {
      stopped = true;
      await done;
    },
  };
}

/** Lanes in which something waits. Each is one step in the index, however much waits. */
const lanesWaiting = async ({ db }: Services): Promise<Lane[]> =>
  (
    await sql<Lane>`with recursive lanes as (
      (select company_id, lane from ordered_event order by company_id, lane limit 1)
      union all
      select next.company_id, next.lane from lanes, lateral (
        select e.company_id, e.lane from ordered_event e
        where (e.company_id, e.lane) > (lanes.company_id, lanes.lane)
        order by e.company_id, e.lane limit 1) next)
    select company_id, lane from lanes limit 1000`.execute(db.unscoped)
  ).rows;

/** Handles what waits first in a lane, unless another process does. */
async function runLane(
  services: Services,
  notifier: OutboxNotifier,
  byName: ReadonlyMap<string, Subscriber>,
  lane: Lane,
): Promise<void> {
  const isBulk = lane.lane >= LANES;
  const ctx = systemCtx(services, lane.company_id, notifier, 'ordered', isBulk);
  const handle = async (t: TxCtx, many: readonly Waiting[]): Promise<void> => {
    for (const [name, subscriber] of byName) {
      const ahead = many.filter((one) => one.subscriber === name).map(({ data }) => data);
      if (ahead.length > 0) await subscriber.readAhead?.(t, ahead);
    }
    // Unknown: published by a version that still had it.
    for (const { subscriber, data, seq } of many)
      await byName.get(subscriber)?.handler(t, data, seq);
  };
  const makeJobs = async (t: TxCtx, many: readonly Waiting[]): Promise<void> => {
    const jobs = many.map(({ subscriber, seq, data }) => ({
      ...{ subscribers: [subscriber], seq, companyId: lane.company_id, data },
    }));
    await enqueueSubscribers(t.tx, isBulk, jobs);
  };
  const take = (most: number, work: typeof handle) =>
    ctx.transaction((t) => takeInOrder(t, lane, most, (many) => work(t, many)));
  try {
    await take(BATCH, handle);
  } catch {
    // One by one, to find which of them throws.
    for (let n = 0; n < BATCH; n++) {
      const taken = await take(1, handle).catch((error: unknown) => {
        services.log.warn({ err: error }, 'a subscriber failed and goes on as a job');
        return take(1, makeJobs);
      });
      if (taken === 0) return;
    }
  }
}

/** Works on what waits first in a lane, and returns how many that were. 0: another process does. */
async function takeInOrder(
  { tx }: TxCtx,
  { company_id, lane }: Lane,
  most: number,
  work: (many: readonly Waiting[]) => Promise<void>,
): Promise<number> {
  const { rows: locks } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(
    hashtextextended(${`ordered:${company_id}:${lane}`}, 0)) got`.execute(tx);
  if (!locks[0]?.got) return 0;
  const { rows } = await sql<Waiting>`select seq, subscriber, data from ordered_event
    where company_id = ${company_id} and lane = ${lane}
    order by seq, subscriber limit ${most}`.execute(tx);
  await work(rows);
  await sql`delete from ordered_event e
    using unnest(${rows.map(({ seq }) => seq)}::bigint[],
      ${rows.map(({ subscriber }) => subscriber)}::text[]) taken(seq, subscriber)
    where e.company_id = ${company_id} and e.lane = ${lane}
      and e.seq = taken.seq and e.subscriber = taken.subscriber`.execute(tx);
  return rows.length;
}
