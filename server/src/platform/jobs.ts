import { EventEmitter } from 'node:events';
import { Logger, parseCronItems, run, type CronItem, type TaskList, type WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import type { z } from 'zod';
import { systemCtx, withTx, type Ctx, type House, type Said } from './context.ts';
import type { Life } from './life.ts';
import type { Reaction } from './relay.ts';

/**
 * A job: a name, the shape of its payload, and a verb. It gets a context without a transaction (jobs talk to strangers)
 * in the payload's `companyId`, and may run twice: make the second time boring.
 */
export interface Job { name: string; payload: z.ZodType; verb: (ctx: Ctx, payload: never, attempt: { number: number; last: boolean }) => Promise<void>; cron?: string }
export function job<T>(name: string, payload: z.ZodType<T>, verb: (ctx: Ctx, payload: T, attempt: { number: number; last: boolean }) => Promise<void>, cron?: string): Job {
  return { name, payload: payload as z.ZodType, verb: verb as Job['verb'], ...(cron ? { cron } : {}) };
}

const PULSE_MS = 1000;
const DEAD_AFTER_SECONDS = 8;

/**
 * Start the queue's worker: jobs, reactions and the clock. A killed worker's jobs are freed by the living within 4 seconds, those of
 * one that is cut off within 10. `life`: the sign by which others know that this process died.
 */
export async function startJobs(url: string, house: House, said: Said, jobs: readonly Job[], reactions: readonly Reaction[], concurrency = 8, life?: Life) {
  const tasks: TaskList = {};
  for (const j of jobs) {
    tasks[j.name] = async (raw, helpers) => {
      const payload = raw as { companyId?: number };
      const attempt = { number: helpers.job.attempts, last: helpers.job.attempts >= helpers.job.max_attempts };
      await j.verb(systemCtx(house, payload.companyId ?? 0, said, `job-${helpers.job.id}`), j.payload.parse(raw) as never, attempt);
    };
  }
  const byName = new Map(reactions.map((r) => [r.name, r]));
  tasks['react'] = async (raw) => {
    const { reaction, companyId, data, seq } = raw as { reaction: string; companyId: number; data: never; seq: number };
    const found = byName.get(reaction);
    if (!found) return; // a reaction that a newer version no longer has
    const ctx = systemCtx(house, companyId, said, 'reaction');
    await house.db.within({ companyId }, (tx) => found.verb(withTx(ctx, tx, said), data, seq));
    said.flush();
  };
  const cron: CronItem[] = jobs.filter((j) => j.cron).map((j) => ({ task: j.name, match: j.cron!, payload: {}, options: { maxAttempts: 1 } }));
  const pool = new pg.Pool({ connectionString: url, max: concurrency + 3, application_name: 'trunkline_worker' });
  pool.on('error', () => {});
  pool.on('connect', (c) => c.on('error', () => {}));
  // A pulse goes under the name that jobs are locked with: the pool's, whichever of its workers runs them.
  const events: WorkerEvents = new EventEmitter();
  const mine = new Set<string>();
  events.on('pool:create', ({ workerPool }) => { mine.add(workerPool.id); });
  const logger = new Logger(() => (level, message, meta) => {
    if (level === 'error') house.log.error({ err: meta?.['error'] }, message);
    else house.log.debug(message);
  });
  const runner = await run({ pgPool: pool, taskList: tasks, parsedCronItems: parseCronItems(cron), concurrency, noHandleSignals: true, logger, events, pollInterval: 1000 });
  const beat = async () => {
    try {
      await pool.query(`insert into worker_pulse (worker_id, at, life) select unnest($1::text[]), clock_timestamp(), $2 on conflict (worker_id) do update set at = excluded.at, life = excluded.life`, [[...mine], life?.id ?? null]);
      await freeTheDead(pool);
    } catch { /* the database is away; so is everyone's pulse */ }
  };
  await beat();
  const pulse = setInterval(() => void beat(), PULSE_MS);
  runner.promise.catch((error: unknown) => house.log.error({ err: error }, 'job runner stopped'));
  return {
    stop: async () => {
      clearInterval(pulse);
      await runner.stop().catch(() => {});
      await pool.query('delete from worker_pulse where worker_id = any($1)', [[...mine]]).catch(() => {});
      await pool.end();
    },
  };
}

/** Free jobs whose worker died, or no longer has a pulse. */
async function freeTheDead(pool: pg.Pool) {
  await pool.query(`delete from worker_pulse where at < now() - interval '1 day'`);
  await pool.query(
    `select graphile_worker.force_unlock_workers(array(
       select distinct j.locked_by from graphile_worker._private_jobs j
       where j.locked_by is not null and (j.locked_by = any(array(select p.worker_id from worker_pulse p where p.at > now() - interval '5 minutes' and life_is_over(p.life, p.at)))
         or (j.locked_at < now() - make_interval(secs => $1) and not exists (select from worker_pulse p where p.worker_id = j.locked_by and p.at > now() - make_interval(secs => $1))))))`, [DEAD_AFTER_SECONDS]);
}
