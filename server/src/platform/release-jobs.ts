import type { WorkerUtils } from 'graphile-worker';
import type pg from 'pg';
import { ownerLostSql } from './lease.ts';

const RELEASE_EXPIRED_MS = 1000;

/** Unlocks jobs of lost workers, every second. */
export function startReleasing(pool: pg.Pool, utils: WorkerUtils): { stop(): Promise<void> } {
  let releasing: Promise<void> | null = null;
  const timer = setInterval(() => {
    releasing ??= releaseExpired(pool, utils)
      .catch(() => {}) // the database is away
      .finally(() => {
        releasing = null;
      });
  }, RELEASE_EXPIRED_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await releasing;
    },
  };
}

/** Unlocks jobs whose worker died or no longer renews its lease. */
async function releaseExpired(pool: pg.Pool, utils: WorkerUtils): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select distinct j.locked_by as id from graphile_worker.jobs j
     where j.locked_by is not null and ${ownerLostSql('j.locked_by', 'j.locked_at')}`,
  );
  if (rows.length) await utils.forceUnlockWorkers(rows.map(({ id }) => id));
}
