import { EventEmitter } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  run,
  type Logger,
  type ParsedCronItem,
  type Runner,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import type { Leases } from './lease.ts';

/** The jobs of one queue, and how many of them run at a time in this process. */
interface QueueSpec {
  pool: pg.Pool;
  logger: Logger;
  leases: Leases;
  tasks: TaskList;
  cronItems: ParsedCronItem[];
  concurrency: number;
  /** Called when the runner stopped although nobody stopped it. */
  onUnexpectedEnd(error?: unknown): void;
}

const LOST_JOBS_SCAN_MS = 4000;
const POLL_MS = 1000;

/** One of the library's worker pools. `id` is the name under which it locks jobs. */
interface TrackedRunner {
  id: string;
  runner: Runner;
  /** Jobs that run now. */
  running: ReadonlySet<string>;
  /** Jobs that succeeded and whose row may still be there. */
  succeeded: Set<string>;
}

async function startRunner(spec: QueueSpec): Promise<TrackedRunner> {
  const events: WorkerEvents = new EventEmitter();
  const running = new Set<string>();
  const succeeded = new Set<string>();
  let id = '';
  events.on('pool:create', ({ workerPool }) => {
    id = workerPool.id;
  });
  events.on('job:start', ({ job }) => {
    running.add(job.id);
  });
  events.on('job:complete', ({ job, error }) => {
    running.delete(job.id);
    if (!error) succeeded.add(job.id);
  });
  const runner = await run({
    pgPool: spec.pool,
    logger: spec.logger,
    taskList: spec.tasks,
    parsedCronItems: spec.cronItems,
    concurrency: spec.concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    events,
  });
  await spec.leases.acquire(id);
  return { id, runner, running, succeeded };
}

/**
 * Jobs that are locked by this runner and that it does not run: those that succeeded, and the rest.
 * The library sends once that it locks a job, or that one has ended, and does not look whether the
 * statement arrived; when the connection breaks in that moment, the job stays locked for hours.
 */
async function findLockedJobs(pool: pg.Pool, tracked: TrackedRunner): Promise<Set<string>> {
  const succeeded = [...tracked.succeeded];
  const { rows } = await pool.query<{ id: string }>(
    'select id from graphile_worker.jobs where locked_by = $1 and id <> all($2)',
    [tracked.id, [...tracked.running]],
  );
  const locked = new Set(rows.map(({ id }) => id));
  for (const id of succeeded) if (!locked.has(id)) tracked.succeeded.delete(id);
  return new Set([...locked].filter((id) => !tracked.running.has(id)));
}

/**
 * Unlocks what a runner that ended has left locked, so that it is done again; what succeeded is
 * completed in the same transaction, before another worker can take it.
 */
async function releaseJobs(pool: pg.Pool, ended: TrackedRunner): Promise<void> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    await client.query('select graphile_worker.force_unlock_workers($1::text[])', [[ended.id]]);
    await client.query('select graphile_worker.complete_jobs($1::bigint[])', [
      [...ended.succeeded],
    ]);
    await client.query('commit');
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw broken;
  } finally {
    client.release(broken);
  }
}

/**
 * Runs the jobs of a queue. The library can unlock all jobs of a runner, not one. So a runner that
 * has lost a job is replaced: another takes its place at once, and when the last of its jobs has
 * ended, what is left is unlocked. Only functions that the library documents are used (decision 90).
 */
export async function runQueue(spec: QueueSpec): Promise<{ stop(): Promise<void> }> {
  const retirements = new Set<Promise<void>>();
  let stopped = false;
  const start = async (): Promise<TrackedRunner> => {
    const tracked = await startRunner(spec);
    const ended = (error?: unknown) => {
      if (!stopped && current === tracked) spec.onUnexpectedEnd(error);
    };
    tracked.runner.promise.then(ended, ended);
    return tracked;
  };
  const retire = async (old: TrackedRunner): Promise<void> => {
    await old.runner.stop().catch(() => {});
    for (let isReleased = false; !isReleased && !stopped;)
      isReleased = await releaseJobs(spec.pool, old).then(
        () => true,
        () => pause(LOST_JOBS_SCAN_MS, false),
      );
    await spec.leases.release(old.id);
  };

  let current: TrackedRunner | null = null;
  current = await start();
  // Found once, a job may be on its way to us or its end on its way into the table; found twice, it is lost.
  let suspects: ReadonlySet<string> = new Set();
  let scanning: Promise<void> | null = null;
  const scan = async (tracked: TrackedRunner): Promise<void> => {
    const locked = await findLockedJobs(spec.pool, tracked);
    const isAnyLost = [...locked].some((id) => suspects.has(id));
    suspects = isAnyLost ? new Set() : locked;
    if (!isAnyLost || stopped) return;
    current = await start();
    const retirement = retire(tracked).finally(() => retirements.delete(retirement));
    retirements.add(retirement);
  };
  const timer = setInterval(() => {
    if (current)
      scanning ??= scan(current)
        .catch(() => {}) // the database is away: the next scan finds the same
        .finally(() => {
          scanning = null;
        });
  }, LOST_JOBS_SCAN_MS);
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await scanning;
      const last = current;
      await last?.runner.stop().catch(() => {});
      await Promise.all(retirements);
      if (last) await spec.leases.release(last.id);
    },
  };
}
