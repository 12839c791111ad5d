import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Ctx } from './context.ts';
import type { Db } from './db.ts';
import { defineRecurring } from './jobs.ts';

/** How long a run of the job works on; the next one goes on. */
const WORK_MS = 8 * 60_000;
/** The smallest step that a fill is cut into, in rows. */
const SMALLEST = 100;

/** How far a fill is: work on rows that were there before a version (365_background_fills.sql). */
interface FillState {
  name: string;
  done: number;
  total: number;
  changed_at: Date | null;
  finished_at: Date | null;
  error: string | null;
}

/** All fills of this database, in the order in which they are worked on. */
export const fillStates = async (db: Pick<Db, 'unscoped'>): Promise<FillState[]> =>
  (
    await sql<FillState>`select name, done::float8 done, total::float8 total, changed_at, finished_at,
        error from background_fill order by created_at, name`.execute(db.unscoped)
  ).rows;

/**
 * Works on the fills until none is left or the time is up, a step at a time. After each it rests for
 * as long as the step took, so that at most half of one connection is used. Another process that is
 * at it already is left alone.
 */
export async function workOnFills(ctx: Pick<Ctx, 'db' | 'log'>, workMs = WORK_MS): Promise<void> {
  const { background } = ctx.db;
  const until = Date.now() + workMs;
  while (Date.now() < until) {
    const began = performance.now();
    try {
      const { rows } = await background.systemTransaction((tx) =>
        sql<{ name: string | null }>`select step_background_fill() name`.execute(tx),
      );
      if (!rows[0]?.name) return;
    } catch (error) {
      ctx.log.error({ err: error }, 'a step of a background fill failed');
      await noteFailure(background, error);
      return;
    }
    await pause(performance.now() - began);
  }
}

/** The next run tries the same place again, with half as much at once. */
const noteFailure = (db: Db, error: unknown) =>
  sql`update background_fill set error = ${String(error).slice(0, 500)}, changed_at = clock_timestamp(),
      batch = greatest(batch / 2, ${SMALLEST})
    where name = (select name from background_fill where finished_at is null
      order by created_at, name limit 1)`.execute(db.unscoped);

export const jobs = [
  defineRecurring(
    'platform.fillBackground',
    {
      cron: '* * * * *',
      does: 'counts what was there before an upgrade, step by step',
      queue: 'default',
      timeoutSeconds: 900,
    },
    (ctx) => workOnFills(ctx),
  ),
];
