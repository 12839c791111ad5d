import { EventEmitter } from 'node:events';
import {
  Logger,
  makeWorkerUtils,
  parseCronItems,
  run,
  type CronItem,
  type Task,
  type TaskList,
  type WorkerEvents,
  type WorkerUtils,
} from 'graphile-worker';
import pg from 'pg';
import type { z } from 'zod';
import { systemCtx, withTx, type Ctx, type Services, type OutboxNotifier } from './context.ts';
import type { WorkerLease } from './worker-lease.ts';
import { bulkSubscriberTask, subscriberTask, type Subscriber } from './outbox-relay.ts';

/**
 * A job: a name, the shape of its payload, and a verb. It gets a context without a transaction (jobs talk to strangers)
 * in the payload's `companyId`, and may run twice: make the second time boring.
 */
export interface Job {
  name: string;
  payload: z.ZodType;
  handler: (ctx: Ctx, payload: never, attempt: { number: number; last: boolean }) => Promise<void>;
  cron?: string;
  bulk?: true;
}
export function defineJob<T>(
  name: string,
  payload: z.ZodType<T>,
  handler: (ctx: Ctx, payload: T, attempt: { number: number; last: boolean }) => Promise<void>,
  cron?: string,
): Job {
  return {
    name,
    payload: payload as z.ZodType,
    handler: handler as Job['handler'],
    ...(cron ? { cron } : {}),
  };
}

/**
 * Bulk work (an import, an export, a change of many): it has workers of its own, few, so that however much of it waits nothing that a
 * person or a call waits for stands behind it. What it says is bulk, too, and so are the reactions to that.
 */
export const asBulk = (j: Job): Job => ({ ...j, bulk: true });

const HEARTBEAT_MS = 1000;
const DEAD_AFTER_SECONDS = 8;
const LOST_JOBS_SCAN_MS = 4000;
const FAILED_DAYS = 30;
/** The library's migration whose private tables `releaseMislaid` knows. */
const KNOWN_QUEUE_MIGRATION = 19;
/** Bulk jobs of one process that run side by side. */
const BULK_CONCURRENCY = 2;

/**
 * Start the queue's worker: jobs, reactions and the clock. A killed worker's jobs are freed by the living within 4 seconds, those of
 * one that is cut off within 10, and one whose taking or ending the queue could not write down within about 8. `life`: the sign by
 * which others know that this process died.
 */
export async function startJobs(
  url: string,
  services: Services,
  notifier: OutboxNotifier,
  jobs: readonly Job[],
  subscribers: readonly Subscriber[],
  concurrency = 8,
  lease?: WorkerLease,
) {
  const lanes: { front: TaskList; bulk: TaskList } = { front: {}, bulk: {} };
  for (const j of jobs) {
    lanes[j.bulk ? 'bulk' : 'front'][j.name] = async (raw, helpers) => {
      const payload = raw as { companyId?: number };
      const attempt = {
        number: helpers.job.attempts,
        last: helpers.job.attempts >= helpers.job.max_attempts,
      };
      await j.handler(
        systemCtx(services, payload.companyId ?? 0, notifier, `job-${helpers.job.id}`, j.bulk),
        j.payload.parse(raw) as never,
        attempt,
      );
    };
  }
  const byName = new Map(subscribers.map((r) => [r.name, r]));
  const runSubscriber =
    (bulk: boolean): Task =>
    async (raw) => {
      const { reaction, companyId, data, seq } = raw as {
        reaction: string;
        companyId: number;
        data: never;
        seq: number;
      };
      const found = byName.get(reaction);
      if (!found) return; // a reaction that a newer version no longer has
      const ctx = systemCtx(services, companyId, notifier, 'reaction', bulk);
      await services.db.transaction({ companyId }, (tx) =>
        found.handler(withTx(ctx, tx, notifier), data, seq),
      );
      notifier.notify();
    };
  lanes.front[subscriberTask] = runSubscriber(false);
  lanes.bulk[bulkSubscriberTask] = runSubscriber(true);
  const cron: CronItem[] = jobs
    .filter((j) => j.cron)
    .map((j) => ({ task: j.name, match: j.cron!, payload: {}, options: { maxAttempts: 1 } }));
  const pool = new pg.Pool({
    connectionString: url,
    max: concurrency + BULK_CONCURRENCY + 6,
    application_name: 'trunkline_worker',
  });
  pool.on('error', () => {});
  pool.on('connect', (c) => c.on('error', () => {}));
  // A pulse goes under the name that jobs are locked with: the pool's, whichever of its workers runs them.
  const events: WorkerEvents = new EventEmitter();
  const ownWorkerIds = new Set<string>();
  events.on('pool:create', ({ workerPool }) => {
    ownWorkerIds.add(workerPool.id);
  });
  const logger = new Logger(() => (level, message, meta) => {
    if (level === 'error') services.log.error({ err: meta?.['error'] }, message);
    else services.log.debug(message);
  });
  const utils = await makeWorkerUtils({ pgPool: pool, logger });
  lanes.front['queue.deleteFailed'] = async () => {
    await deleteFailedJobs(pool, utils);
  };
  cron.push({
    task: 'queue.deleteFailed',
    match: '50 4 * * *',
    payload: {},
    options: { maxAttempts: 1 },
  });
  const lostJobs = (await isQueueVersionKnown(pool, services))
    ? reconcileLostJobs(pool, ownWorkerIds, events)
    : null;
  const common = { pgPool: pool, noHandleSignals: true, logger, events, pollInterval: 1000 };
  const runners = [
    await run({
      ...common,
      taskList: lanes.front,
      parsedCronItems: parseCronItems(cron),
      concurrency,
    }),
    await run({
      ...common,
      taskList: lanes.bulk,
      parsedCronItems: [],
      concurrency: BULK_CONCURRENCY,
    }),
  ];
  const heartbeat = async () => {
    try {
      await pool.query(
        `insert into worker_heartbeat (worker_id, at, life) select unnest($1::text[]), clock_timestamp(), $2 on conflict (worker_id) do update set at = excluded.at, life = excluded.life`,
        [[...ownWorkerIds], lease?.id ?? null],
      );
      await releaseExpired(pool, utils);
    } catch {
      /* the database is away; so is everyone's pulse */
    }
  };
  await heartbeat();
  const heartbeatTimer = setInterval(() => void heartbeat(), HEARTBEAT_MS);
  let stopping = false;
  // Without its runner this process would only keep others from its jobs: it ends, and is started again.
  const ended = (error?: unknown) => {
    if (stopping) return;
    stopping = true;
    setImmediate(() => {
      throw new Error('the job runner stopped unexpectedly', { cause: error });
    });
  };
  for (const runner of runners) runner.promise.then(ended, ended);
  return {
    stop: async () => {
      stopping = true;
      clearInterval(heartbeatTimer);
      lostJobs?.stop();
      await Promise.all(runners.map((runner) => runner.stop().catch(() => {})));
      await pool
        .query('delete from worker_heartbeat where worker_id = any($1)', [[...ownWorkerIds]])
        .catch(() => {});
      await utils.release();
      await pool.end();
    },
  };
}

/** Free jobs whose worker died, or no longer has a pulse. */
async function releaseExpired(pool: pg.Pool, utils: WorkerUtils) {
  const { rows } = await pool.query<{ id: string }>(
    `select distinct j.locked_by as id from graphile_worker.jobs j
     where j.locked_by is not null and (j.locked_by = any(array(
         select p.worker_id from worker_heartbeat p where p.at > now() - interval '5 minutes' and lease_expired(p.life, p.at)))
       or (j.locked_at < now() - make_interval(secs => $1) and not exists (
         select from worker_heartbeat p where p.worker_id = j.locked_by and p.at > now() - make_interval(secs => $1))))`,
    [DEAD_AFTER_SECONDS],
  );
  if (rows.length) await utils.forceUnlockWorkers(rows.map(({ id }) => id));
}

/** Jobs that failed for good are kept for whoever looks into it, and then go. */
export async function deleteFailedJobs(pool: pg.Pool, utils: Pick<WorkerUtils, 'completeJobs'>) {
  for (;;) {
    const { rows } = await pool.query<{ id: string }>(
      `select id from graphile_worker.jobs where attempts >= max_attempts and locked_at is null
         and updated_at < now() - make_interval(days => $1) limit 1000`,
      [FAILED_DAYS],
    );
    if (!rows.length) return;
    await utils.completeJobs(rows.map(({ id }) => id));
  }
}

/** False, and said so, when the queue's tables are of another version than the one that `releaseMislaid` was written for. */
async function isQueueVersionKnown(pool: pg.Pool, services: Services): Promise<boolean> {
  const {
    rows: [found],
  } = await pool.query<{ id: number }>('select max(id) as id from graphile_worker.migrations');
  if (found?.id === KNOWN_QUEUE_MIGRATION) return true;
  services.log.warn(
    { found: found?.id, known: KNOWN_QUEUE_MIGRATION },
    'the job queue has another version than this server knows: jobs mislaid by a broken connection wait until this process ends',
  );
  return false;
}

/**
 * Strike out the ended ones of these jobs of ours, and free the others. The one place that writes the library's private tables:
 * what it offers unlocks all jobs of a worker, those that run now included, and completes only jobs that nobody holds.
 */
const releaseLostJobs = (
  pool: pg.Pool,
  mine: ReadonlySet<string>,
  ended: readonly string[],
  others: readonly string[],
) =>
  pool.query(
    `with ended as (delete from graphile_worker._private_jobs where id = any($1) and locked_by = any($3) returning job_queue_id),
     freed as (update graphile_worker._private_jobs set locked_by = null, locked_at = null where id = any($2) and locked_by = any($3) returning job_queue_id)
   update graphile_worker._private_job_queues set locked_by = null, locked_at = null
   where locked_by = any($3) and id in (select job_queue_id from ended union all select job_queue_id from freed)`,
    [ended, others, [...mine]],
  );

/**
 * Jobs that the queue believes to be in our hands, and are not. The queue says once that it takes a job, or that one has ended, and
 * does not look whether it was heard: when the connection breaks in that moment, the job stays locked by us, who live, for hours.
 * What ended well is struck out; anything else is free to be done (again).
 */
function reconcileLostJobs(pool: pg.Pool, ownWorkerIds: ReadonlySet<string>, events: WorkerEvents) {
  const running = new Set<string>();
  const completed = new Set<string>();
  events.on('job:start', ({ job: { id } }) => {
    running.add(id);
  });
  events.on('job:complete', ({ job: { id }, error }) => {
    running.delete(id);
    if (!error) completed.add(id);
  });
  // Seen once, it may be on its way to us or into the table; seen twice, it is not.
  let suspects = new Set<string>();
  let scanning = false;
  const scan = async () => {
    if (scanning) return;
    scanning = true;
    try {
      const known = [...completed];
      const { rows } = await pool.query<{ id: string }>(
        'select id from graphile_worker.jobs where locked_by = any($1) and id <> all($2)',
        [[...ownWorkerIds], [...running]],
      );
      const locked = new Set(rows.map(({ id }) => id));
      for (const id of known) if (!locked.has(id)) completed.delete(id);
      const lost = [...locked].filter((id) => suspects.has(id) && !running.has(id));
      suspects = locked;
      if (lost.length)
        await releaseLostJobs(
          pool,
          ownWorkerIds,
          lost.filter((id) => completed.has(id)),
          lost.filter((id) => !completed.has(id)),
        );
    } catch {
      /* the database is away: looked again soon */
    } finally {
      scanning = false;
    }
  };
  const clock = setInterval(() => void scan(), LOST_JOBS_SCAN_MS);
  return {
    stop: () => {
      clearInterval(clock);
    },
  };
}
