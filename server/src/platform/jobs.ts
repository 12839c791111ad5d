import {
  Logger,
  makeWorkerUtils,
  parseCronItems,
  type JobHelpers,
  type ParsedCronItem,
  type TaskList,
  type WorkerUtils,
} from 'graphile-worker';
import pg from 'pg';
import { z } from 'zod';
import { systemCtx, type Ctx, type OutboxNotifier, type Services } from './context.ts';
import { abortableDb } from './db.ts';
import { runJob, type Job } from './job.ts';
import { jobKind, queues, type Queue } from './job-kind.ts';
import { runQueue } from './job-runner.ts';
import type { Leases } from './lease.ts';
import type { Log } from './log.ts';
import { startOrderedEvents } from './ordered-events.ts';
import type { Subscriber } from './outbox-relay.ts';
import { startReleasing } from './release-jobs.ts';
import { databaseUrlOf, type Settings } from './settings.ts';
import { subscriberJobs } from './subscriber-jobs.ts';
import { inSpan } from './tracing/spans.ts';

export { runJob, type Job };

/** An attempt that took longer than its job allows. */
class JobTimeoutError extends Error {
  constructor(job: Pick<Job, 'name' | 'timeoutSeconds'>) {
    super(`${job.name} took longer than ${job.timeoutSeconds} s`);
  }
}

/**
 * A job that the clock starts. `cron` is minute, hour, day, month and weekday in UTC; `does` says in
 * a few words what for. However many worker processes there are, a time starts the job once, and
 * two runs never overlap. A run whose time passed while no worker was there is skipped, one that is
 * still waiting when the next is due is replaced by it, and a failed one isn't repeated: the next is
 * due soon.
 *
 * What has to happen within seconds is no job. Timers of processes: the outbox relay (250 ms),
 * leases and the call clock (1 s), the campaign dispatcher (300 ms), events
 * that are handled in order and deliveries (40 to 250 ms), lost jobs (4 s), webhooks that
 * could not be stored (2 to 30 s), and who is online (1 min).
 */
export function defineRecurring(
  name: string,
  { cron, does, queue, timeoutSeconds }: Recurring,
  run: (ctx: Ctx) => Promise<void>,
): Job {
  const policy = { queue, timeoutSeconds, overlap: 'never', retries: 0 } as const;
  return {
    ...runJob(jobKind(name, z.unknown(), policy), (ctx) => run(ctx)),
    recurring: { cron, does },
  };
}
interface Recurring {
  cron: string;
  does: string;
  queue: Queue;
  timeoutSeconds: number;
}

/** The entries of these jobs for the clock of the queue library. */
const cronItemsOf = (jobs: readonly Job[]): ParsedCronItem[] =>
  parseCronItems(
    jobs.flatMap(({ name, recurring }) =>
      recurring
        ? {
            task: name,
            match: recurring.cron,
            options: { maxAttempts: 1, queueName: name, jobKey: name },
          }
        : [],
    ),
  );

/** Jobs that failed for good are kept this long, to be looked into. */
const FAILED_DAYS = 30;

/**
 * One attempt. After its time it has failed, and the job is free to be retried; what still runs of
 * it gets no transaction and no statement any more (one that is open may still commit), and sees
 * `ctx.signal` aborted. The last of several attempts may still record that the job failed.
 */
async function runAttempt(
  job: Job,
  services: Services,
  notifier: OutboxNotifier,
  payload: unknown,
  { job: queued }: Pick<JobHelpers, 'job'>,
): Promise<void> {
  const { companyId = 0, trace = null } = QueuedPayload.safeParse(payload).data ?? {};
  const timeout = new AbortController();
  const timedOut = new Promise<never>((_, reject) => {
    timeout.signal.addEventListener('abort', () => reject(timeout.signal.reason as Error));
  });
  const timer = setTimeout(
    () => timeout.abort(new JobTimeoutError(job)),
    job.timeoutSeconds * 1000,
  );
  const attempt = { number: queued.attempts, last: queued.attempts >= queued.max_attempts };
  const mayRecordFailure = attempt.last && job.retries > 0;
  const db = mayRecordFailure ? services.db : abortableDb(services.db, timeout.signal);
  const isBulk = job.queue === 'bulk';
  const limited = { ...services, db };
  const ctx = systemCtx(limited, companyId, notifier, `job-${queued.id}`, isBulk, timeout.signal);
  try {
    const facts = { job: job.name, queue: job.queue, attempt: queued.attempts };
    await inSpan(
      `job ${job.name}`,
      facts,
      () => Promise.race([job.handler(ctx, payload, attempt), timedOut]),
      trace,
    );
  } finally {
    clearTimeout(timer);
  }
}
/** What any payload may have: its company, and the trace of what queued it. */
const QueuedPayload = z.object({ companyId: z.number().optional(), trace: z.string().optional() });

const deleteFailedJob = (pool: pg.Pool, utils: WorkerUtils): Job =>
  defineRecurring(
    'jobs.deleteFailed',
    {
      cron: '50 4 * * *',
      does: 'deletes jobs that failed for good thirty days ago',
      queue: 'default',
      timeoutSeconds: 600,
    },
    () => deleteFailedJobs(pool, utils),
  );

/**
 * Starts this process's workers: jobs, subscribers and the clock. Jobs of a worker that was killed
 * are unlocked by the others within 4 seconds, those of one that is cut off within 10, and one whose
 * lock or end could not be stored when the runner that lost it has ended its other jobs.
 */
export async function startJobs(
  services: Services,
  notifier: OutboxNotifier,
  leases: Leases,
  work: { jobs: readonly Job[]; subscribers: readonly Subscriber[]; isClockOn?: boolean },
): Promise<{ stop(): Promise<void> }> {
  const { jobQueues } = services.settings;
  const pool = openPool(services.settings);
  const logger = loggerOf(services.log);
  const utils = await makeWorkerUtils({ pgPool: pool, logger });
  const jobs = [...work.jobs, ...subscriberJobs(work.subscribers), deleteFailedJob(pool, utils)];
  let stopped = false;
  // Without its runner this process would only keep others from its jobs: it ends, and is started again.
  const onUnexpectedEnd = (error?: unknown) => {
    if (stopped) return;
    stopped = true;
    setImmediate(() => {
      throw new Error('the job runner stopped unexpectedly', { cause: error });
    });
  };
  const runners = await Promise.all(
    jobQueues.map((queue) => {
      const ofQueue = jobs.filter((job) => job.queue === queue);
      const tasks: TaskList = {};
      for (const job of ofQueue)
        tasks[job.name] = (payload, helpers) =>
          runAttempt(job, services, notifier, payload, helpers);
      return runQueue({
        pool,
        logger,
        leases,
        tasks,
        cronItems: (work.isClockOn ?? true) ? cronItemsOf(ofQueue) : [],
        concurrency: queues[queue],
        onUnexpectedEnd,
      });
    }),
  );
  const ordered = jobQueues.includes('default')
    ? startOrderedEvents(services, notifier, work.subscribers)
    : null;
  const releasing = startReleasing(pool, utils);
  return {
    stop: async () => {
      stopped = true;
      await ordered?.stop();
      await Promise.all(runners.map((runner) => runner.stop()));
      await releasing.stop();
      await utils.release();
      await pool.end();
    },
  };
}

const loggerOf = (log: Log): Logger =>
  new Logger(() => (level, message, meta) => {
    if (level === 'error') log.error({ err: meta?.['error'] }, message);
    else log.debug(message);
  });

function openPool(settings: Settings): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrlOf(settings),
    max: settings.jobQueues.reduce((sum, queue) => sum + queues[queue], 0) + 6,
    application_name: 'trunkline_worker',
    // That a job was taken or has ended isn't waited for on the disk: where the database loses it, the job
    // runs again, as after any crash. What a job does is committed on other connections.
    options: '-c synchronous_commit=off',
  });
  // Without both handlers a database stop crashes the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Deletes jobs that failed for good a month ago, a thousand at a time. */
export async function deleteFailedJobs(
  pool: pg.Pool,
  utils: Pick<WorkerUtils, 'completeJobs'>,
): Promise<void> {
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
