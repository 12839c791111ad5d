import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { Counter } from 'prom-client';
import { isUnavailable } from './errors.ts';
import type { Log } from './log.ts';
import { firstOf } from './must-be.ts';
import type { Pools } from './pools.ts';

/** How long a read waits for the replica to have what was written before it; milliseconds. */
const waitMs = 500;
const lookEveryMs = 20;
/** How long a replica that was behind, and one that did not answer, is left alone. */
const restMs = { behind: 5_000, away: 30_000 };
/** How long the question how far it is may take. */
const questionMs = 2_000;

const reads = new Counter({
  name: 'database_replica_reads_total',
  help: 'Reads that may use the read replica, by where they were made',
  labelNames: ['from'],
});

interface Position {
  /** What the database has written and would not lose. */
  written: string;
  installation: string;
  database: string;
}

/**
 * A read replica. A read goes there once it has everything that was written before, so that no one
 * misses their own change; else, and whenever the replica fails, to the database itself (decision
 * 0266).
 */
export class Replica {
  private restsUntil = 0;

  constructor(
    readonly pools: Pools,
    private readonly log: Log,
  ) {}

  /** Runs `work` on the replica or, where that can't be, on `primary`; it may run on both. */
  async read<T>(primary: Pools, work: (pools: Pools) => Promise<T>): Promise<T> {
    if (await this.isReady(primary.app)) {
      try {
        const result = await work(this.pools);
        reads.inc({ from: 'replica' });
        return result;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        this.rest('away', error);
      }
    }
    reads.inc({ from: 'primary' });
    return work(primary);
  }

  /** Seconds by which it is behind; null: it doesn't answer, or replicates another database. */
  async lagSeconds(primary: pg.Pool): Promise<number | null> {
    const position = await positionOf(primary);
    const state = await this.stateAt(position).catch(() => null);
    return state && state.replicates ? state.lag : null;
  }

  private async isReady(primary: pg.Pool): Promise<boolean> {
    if (Date.now() < this.restsUntil) return false;
    const position = await positionOf(primary);
    const until = Date.now() + waitMs;
    try {
      for (;;) {
        const { replicates, lag } = await this.stateAt(position);
        if (!replicates) {
          this.rest('away', new Error('DATABASE_REPLICA_URL is no replica of this database'));
          return false;
        }
        if (lag === 0) return true;
        if (Date.now() >= until) {
          this.rest('behind');
          return false;
        }
        await pause(lookEveryMs);
      }
    } catch (error) {
      this.rest('away', error);
      return false;
    }
  }

  private rest(why: keyof typeof restMs, error?: unknown): void {
    this.restsUntil = Date.now() + restMs[why];
    this.log.warn(
      { err: error, seconds: restMs[why] / 1000 },
      why === 'behind' ? 'read replica is behind' : 'read replica can’t be used',
    );
  }

  private async stateAt({ written, installation, database }: Position) {
    const { rows } = await this.pools.app.query<{ replicates: boolean; lag: number }>({
      text: `select pg_is_in_recovery() and current_database() = $3
          and (select system_identifier::text from pg_control_system()) = $2 as replicates,
        case when pg_last_wal_replay_lsn() >= $1::pg_lsn then 0
          else greatest(0.001, extract(epoch from
            clock_timestamp() - coalesce(pg_last_xact_replay_timestamp(), clock_timestamp()))::float8)
          end as lag`,
      values: [written, installation, database],
      query_timeout: questionMs,
    } as pg.QueryConfig);
    return firstOf(rows);
  }
}

async function positionOf(primary: pg.Pool): Promise<Position> {
  const { rows } = await primary.query<Position>(
    `select pg_current_wal_flush_lsn()::text as written,
      (select system_identifier::text from pg_control_system()) as installation,
      current_database() as database`,
  );
  return firstOf(rows);
}
