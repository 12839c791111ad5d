import type pg from 'pg';
import {
  isQueryTimeout,
  queryBuilder,
  queryBuilderOn,
  withPreparedStatements,
  withQueryTimeout,
  type Tx,
} from './db-connection.ts';
import type { RequestSlot } from './lanes.ts';
import type { Pools } from './pools.ts';
import type { Replica } from './replica.ts';
import { setScopeSql, setTraceSql, type TenantScope } from './scope-sql.ts';
import { inSpanOfTrace, type SpanFacts } from './tracing/spans.ts';

export type { TenantScope };

/** A connection that is held, with its limit. */
interface Held {
  client: pg.PoolClient;
  /** The same without the limit; it stays the same object as long as it is open. */
  connection: pg.PoolClient;
  release(error?: Error): void;
}

/**
 * Work on the pools, each statement of which may take `limitMs`; null: any time. With a `slot`, the
 * work of one request, which waits for its turn in the request's lane.
 */
export class LimitedPools {
  readonly pool: pg.Pool;
  private statements: Tx | null = null;

  constructor(
    private readonly pools: Pools,
    private readonly limitMs: number | null,
    private readonly slot: RequestSlot | null = null,
    private readonly lane = 'jobs',
    private readonly replica: Replica | null = null,
  ) {
    this.pool = pools.system;
  }

  /** One statement at a time as the system role, without a transaction. */
  get unscoped(): Tx {
    return (this.statements ??= queryBuilder(async () => {
      const { client, release } = await this.connect(this.pools.system);
      return { query: withPreparedStatements(client), release: () => release() };
    }));
  }

  // Arrow functions: the methods are copied into a Db.
  readonly transaction = <T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T> =>
    // BEGIN and the scope travel in one round trip.
    this.inTransaction(
      'transaction',
      this.pools.app,
      `begin read write; ${setScopeSql(scope, this.limitMs, true)}`,
      work,
    );

  readonly snapshot = <T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T> =>
    this.inTransaction(
      'snapshot',
      this.pools.app,
      `begin isolation level repeatable read read only; ${setScopeSql(scope, this.limitMs, true)}`,
      work,
    );

  readonly systemTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    this.inTransaction(
      'system',
      this.pools.system,
      this.limitMs === null ? 'begin' : `begin; set local statement_timeout = ${this.limitMs}`,
      work,
    );

  readonly readOnly = <T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T> =>
    inSpanOfTrace('database', { lane: this.lane, access: 'reading' }, () =>
      this.replica
        ? this.replica.read(this.pools, (pools) => this.read(pools, scope, work))
        : this.read(this.pools, scope, work),
    );

  private async read<T>(
    pools: Pools,
    scope: TenantScope,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const { client, connection, release } = await this.connect(pools.app);
    const settle = this.stopWhenGone(pools, connection);
    const { lastScope } = pools;
    let broken: Error | undefined;
    try {
      const wanted = setScopeSql(scope, this.limitMs, false);
      if (lastScope.get(connection) !== wanted) {
        lastScope.delete(connection);
        await client.query(wanted);
        lastScope.set(connection, wanted);
      }
      return await work(queryBuilderOn(client));
    } catch (error) {
      if (isQueryTimeout(error)) broken = error;
      throw error;
    } finally {
      // Before the connection is somebody else's.
      await settle();
      release(broken);
    }
  }

  /**
   * Stops what a request reads on a connection when its client has gone. The function that it
   * returns ends that, and waits until nothing can be stopped any more.
   */
  private stopWhenGone(pools: Pools, connection: pg.PoolClient): () => Promise<void> {
    const signal = this.slot?.signal;
    if (!signal) return async () => {};
    let stopping: Promise<void> | null = null;
    const onAbort = () => {
      stopping = pools.stopStatement(connection);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return async () => {
      signal.removeEventListener('abort', onAbort);
      await stopping;
    };
  }

  private async connect(pool: pg.Pool): Promise<Held> {
    await this.slot?.enter();
    try {
      const connection = await pool.connect();
      const client =
        this.limitMs === null ? connection : withQueryTimeout(connection, this.limitMs);
      const release = (error?: Error) => {
        client.release(error);
        this.slot?.leave();
      };
      return { client, connection, release };
    } catch (error) {
      this.slot?.leave();
      throw error;
    }
  }

  private inTransaction<T>(
    access: NonNullable<SpanFacts['access']>,
    pool: pg.Pool,
    begin: string,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    return inSpanOfTrace('database', { lane: this.lane, access }, () =>
      this.commit(pool, `${begin}${setTraceSql()}`, work),
    );
  }

  private async commit<T>(pool: pg.Pool, begin: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { client, release } = await this.connect(pool);
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work(queryBuilderOn(client));
      await client.query('commit');
      return result;
    } catch (error) {
      // A database that did not answer the statement does not answer this either.
      if (isQueryTimeout(error)) broken = error;
      else
        await client.query('rollback').catch((e: Error) => {
          broken = e;
        });
      throw error;
    } finally {
      release(broken);
    }
  }
}
