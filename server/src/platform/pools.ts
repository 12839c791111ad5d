import pg from 'pg';
import { lowerConnectionPriority } from './connection-priority.ts';
import type { Log } from './log.ts';
import type { DatabaseLogins } from './roles.ts';

interface PoolOptions {
  /** Connections as the application's role, and as the system role. */
  app: number;
  system: number;
  /** Part of the connections' application name. */
  name: string;
  /** How long work waits for a connection; milliseconds. */
  waitMs: number;
  lowPriority: boolean;
  /** Of the two roles; null: both use that of `url`. */
  logins: DatabaseLogins | null;
}

function openPool(url: string, log: Log, role: keyof DatabaseLogins, o: PoolOptions): pg.Pool {
  // Set at the start of a connection, so that not even a forgotten statement runs as the owner.
  const readOnly = role === 'trunkline_app' ? ' -c default_transaction_read_only=on' : '';
  // Helpers of a statement would run at the usual priority.
  const alone = o.lowPriority ? ' -c max_parallel_workers_per_gather=0' : '';
  const pool = watched(
    new pg.Pool({
      connectionString: o.logins?.[role] ?? url,
      max: role === 'trunkline_app' ? o.app : o.system,
      options: `-c role=${role}${readOnly}${alone}`,
      connectionTimeoutMillis: o.waitMs,
      idleTimeoutMillis: 30_000,
      application_name: `${role} ${o.name}`.trim(),
    }),
    log,
  );
  if (o.lowPriority) pool.on('connect', lowerConnectionPriority);
  return pool;
}

function watched(pool: pg.Pool, log: Log): pg.Pool {
  // Without both handlers a database stop crashes the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
  pool.on('connect', (client) => {
    client.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
  });
  return pool;
}

/** The connections of both roles. */
export class Pools {
  readonly app: pg.Pool;
  readonly system: pg.Pool;
  /** The scope that a connection was last set to for reading. Transactions set theirs for themselves only. */
  readonly lastScope = new WeakMap<pg.PoolClient, string>();
  /** For stopping statements of `app`, and nothing else: in no role, since a login may stop its own. */
  private readonly stopper: pg.Pool;

  constructor(url: string, log: Log, options: PoolOptions) {
    this.app = openPool(url, log, 'trunkline_app', options);
    this.system = openPool(url, log, 'trunkline_system', options);
    this.stopper = watched(
      new pg.Pool({
        connectionString: options.logins?.trunkline_app ?? url,
        max: 1,
        connectionTimeoutMillis: options.waitMs,
        application_name: `stopper ${options.name}`.trim(),
      }),
      log,
    );
  }

  /** Stops the statement that runs on a connection; it fails with 57014. */
  async stopStatement(client: pg.PoolClient): Promise<void> {
    const { processID } = client as pg.PoolClient & { processID: number };
    await this.stopper.query('select pg_cancel_backend($1)', [processID]).catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([this.app.end(), this.system.end(), this.stopper.end()]);
  }
}
