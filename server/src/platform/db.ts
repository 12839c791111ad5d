import { createHash } from 'node:crypto';
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PostgresDriver,
  sql,
  type PostgresPoolClient,
} from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';
import type { Log } from './log.ts';
import { lowerConnectionPriority } from './connection-priority.ts';
import type { DatabaseLogins } from './roles.ts';

pg.types.setTypeParser(20, Number); // int8: our ids stay below 2^53
pg.types.setTypeParser(1700, Number); // numeric: sums and averages of such
pg.types.setTypeParser(1082, String); // date: a day on a calendar; as a Date it would move with the machine's time zone
pg.types.setTypeParser(1016 as 20, (text) =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((one) => (one === 'NULL' ? null : Number(one))),
); // int8[], which the driver’s types do not list

/** An open transaction. Reads anything its row-level security lets it see; stores write only their own tables. */
export type Tx = Kysely<Tables>;
/** Whose transaction it is; row-level security reads these. */
export interface TenantScope {
  companyId?: number | null;
  userId?: number | null;
}

export interface Db {
  /** Run inside one transaction as the application's role, bound to one company by row-level security. */
  transaction<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Read in the same scope without a transaction around the statements, which saves two round trips.
   * The connection refuses to write. For work whose statements need no common snapshot.
   */
  readOnly<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Run inside one transaction as the system role: sessions, directories, relay. Never with input that names a company unchecked. */
  systemTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One statement as the system role, no transaction around it. */
  readonly unscoped: Tx;
  readonly pool: pg.Pool;
  /**
   * The same database for what nobody waits for (campaigns, their receipts): few connections of its own, so that it never takes a
   * person's, and processes of the database that stand back when a person's wants the processor.
   */
  readonly background: Db;
  /**
   * The same database and connections for requests, which somebody waits for: a statement that takes longer than `statementMs` is
   * given up (57014), and so is a database that does not answer at all. Jobs, which may take long, use the other one.
   */
  readonly forRequests: Db;
  close(): Promise<void>;
}

const dialect = (client: pg.PoolClient) => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () =>
    new PostgresDriver({
      pool: { connect: async () => withoutRelease(client), end: async () => {} },
    }),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
// Kysely releases after each query; here the transaction owns the client, so releasing waits for its end.
const withoutRelease = (client: pg.PoolClient): PostgresPoolClient => ({
  query: withPreparedStatements(client),
  release: () => {},
});

const preparedMark = '/* prepared */ ';
/**
 * Stands first in a statement that nearly every request asks: each connection plans it once and keeps the plan, because planning
 * costs more than the look-ups themselves. Only for statements whose text is always the same, that name their columns (`*` would
 * fail after a migration adds one), and whose plan is right for any parameters.
 */
export const prepared = sql.raw(preparedMark);
const statementNames = new Map<string, string>();
function withPreparedStatements(client: pg.PoolClient): PostgresPoolClient['query'] {
  const query = (text: unknown, values: readonly unknown[]): Promise<unknown> => {
    if (typeof text !== 'string' || !text.startsWith(preparedMark))
      return client.query(text as string, values as unknown[]);
    let name = statementNames.get(text);
    if (!name)
      statementNames.set(text, (name = createHash('sha1').update(text).digest('base64url')));
    return client.query({ name, text, values: values as unknown[] });
  };
  return query as PostgresPoolClient['query'];
}

/** How much longer than the database's own limit an answer is waited for: it is stopped or frozen then. */
const graceMs = 1000;
const isQueryTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';
/**
 * A connection whose questions are not waited for beyond a limit. One that left a question unanswered is closed when it is
 * released: its answer may still come, and would be taken for the next one's.
 */
function withQueryTimeout(client: pg.PoolClient, ms: number): pg.PoolClient {
  let timedOut = false;
  const query = async (text: string | pg.QueryConfig, values?: unknown[]) => {
    const config = typeof text === 'string' ? { text, ...(values ? { values } : {}) } : text;
    try {
      return await client.query({ ...config, query_timeout: ms + graceMs } as pg.QueryConfig);
    } catch (error) {
      if (isQueryTimeout(error)) timedOut = true;
      throw error;
    }
  };
  return Object.assign(Object.create(client) as pg.PoolClient, {
    query,
    release: (error?: Error | boolean) => client.release(timedOut || error),
  });
}

/**
 * Open the two pools. `role` is set at connection start, so not even a forgotten statement runs as the owner.
 * @param waitMs how long work waits for a connection before it is refused; milliseconds
 * @param process who they belong to, for whoever looks at the database
 * @param logins of the two roles; null: both use that of `url`, which can become either
 * @param statementMs how long one statement of a request may take; milliseconds
 */
export function openDb(
  url: string,
  log: Log,
  {
    size = 10,
    waitMs = 2000,
    process = '',
    logins = null,
    statementMs = 8000,
  }: {
    size?: number;
    waitMs?: number;
    process?: string;
    logins?: DatabaseLogins | null;
    statementMs?: number;
  } = {},
): Db {
  const foreground = openPools(url, log, {
    app: size,
    system: Math.max(4, Math.ceil(size / 2)),
    name: process,
    waitMs,
    lowPriority: false,
    logins,
    statementMs,
  });
  let background: Db | null = null;
  const close = async () => {
    await Promise.all([foreground.unlimited.close(), background?.close()]);
  };
  const db: Db = {
    ...foreground.unlimited,
    close,
    get background() {
      if (!background) {
        const pools = openPools(url, log, {
          app: 4,
          system: 3,
          name: `${process} behind`,
          waitMs: Math.max(waitMs, 10_000),
          lowPriority: true,
          logins,
          statementMs,
        });
        background = {
          ...pools.unlimited,
          get background() {
            return background!;
          },
          get forRequests() {
            return background!;
          },
        };
      }
      return background;
    },
    get forRequests() {
      return forRequests;
    },
  };
  const forRequests: Db = {
    ...foreground.limited,
    close,
    get background() {
      return db.background;
    },
    get forRequests() {
      return forRequests;
    },
  };
  return db;
}

/** The same database, which starts no transaction and no statement once `signal` is aborted; it throws its reason. */
export function abortableDb(db: Db, signal: AbortSignal): Db {
  const checked = (): Db => {
    signal.throwIfAborted();
    return db;
  };
  return {
    transaction: async (scope, work) => checked().transaction(scope, work),
    readOnly: async (scope, work) => checked().readOnly(scope, work),
    systemTransaction: async (work) => checked().systemTransaction(work),
    get unscoped() {
      return checked().unscoped;
    },
    get pool() {
      return checked().pool;
    },
    get background() {
      return abortableDb(db.background, signal);
    },
    get forRequests() {
      return abortableDb(db.forRequests, signal);
    },
    close: () => db.close(),
  };
}

type Pools = Omit<Db, 'background' | 'forRequests'>;

function openPools(
  url: string,
  log: Log,
  o: {
    app: number;
    system: number;
    name: string;
    waitMs: number;
    lowPriority: boolean;
    logins: DatabaseLogins | null;
    statementMs: number;
  },
): { unlimited: Pools; limited: Pools } {
  const pool = (role: keyof DatabaseLogins, max: number) => {
    const p = new pg.Pool({
      connectionString: o.logins?.[role] ?? url,
      max,
      options: `-c role=${role}${role === 'trunkline_app' ? ' -c default_transaction_read_only=on' : ''}`,
      connectionTimeoutMillis: o.waitMs,
      idleTimeoutMillis: 30_000,
      application_name: `${role} ${o.name}`.trim(),
    });
    // Without both handlers a database stop crashes the process.
    p.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'));
    p.on('connect', (client) => {
      client.on('error', (error) => log.warn({ err: error }, 'database connection lost'));
      if (o.lowPriority) lowerConnectionPriority(client);
    });
    return p;
  };
  const app = pool('trunkline_app', o.app);
  const system = pool('trunkline_system', o.system);

  const inTransaction = async <T>(
    from: pg.Pool,
    begin: string,
    work: (tx: Tx) => Promise<T>,
    limitMs: number | null,
  ): Promise<T> => {
    const own = await from.connect();
    const client = limitMs === null ? own : withQueryTimeout(own, limitMs);
    let broken: Error | undefined;
    try {
      await client.query(begin);
      const result = await work(new Kysely<Tables>({ dialect: dialect(client) }));
      await client.query('commit');
      return result;
    } catch (error) {
      // A database that did not answer the statement does not answer this either.
      if (isQueryTimeout(error)) broken = error as Error;
      else
        await client.query('rollback').catch((e: Error) => {
          broken = e;
        });
      throw error;
    } finally {
      client.release(broken);
    }
  };
  const setting = (n: number | null | undefined) => (n ? String(Math.trunc(n)) : '');
  // Both values are integers, so nothing can be injected.
  const setScopeSql = (
    { companyId, userId }: TenantScope,
    limitMs: number | null,
    local: boolean,
  ): string =>
    `select set_config('app.company_id','${setting(companyId)}',${local}), set_config('app.user_id','${setting(userId)}',${local}), set_config('statement_timeout','${limitMs ?? 0}',${local})`;
  /** The scope a connection was last set to for reading. Transactions set theirs for themselves only. */
  const lastScope = new WeakMap<pg.PoolClient, string>();
  const readOnly = async <T>(
    scope: TenantScope,
    work: (tx: Tx) => Promise<T>,
    limitMs: number | null,
  ): Promise<T> => {
    const own = await app.connect();
    const client = limitMs === null ? own : withQueryTimeout(own, limitMs);
    let broken: Error | undefined;
    try {
      const wanted = setScopeSql(scope, limitMs, false);
      if (lastScope.get(own) !== wanted) {
        lastScope.delete(own);
        await client.query(wanted);
        lastScope.set(own, wanted);
      }
      return await work(new Kysely<Tables>({ dialect: dialect(client) }));
    } catch (error) {
      if (isQueryTimeout(error)) broken = error as Error;
      throw error;
    } finally {
      client.release(broken);
    }
  };
  const unscopedDb = (connect: () => Promise<PostgresPoolClient>): Tx =>
    new Kysely<Tables>({
      dialect: {
        ...dialect(null as unknown as pg.PoolClient),
        createDriver: () => new PostgresDriver({ pool: { connect, end: async () => {} } }),
      },
    });
  const pools = (limitMs: number | null): Pools => ({
    // BEGIN and the scope travel in one round trip.
    transaction: (scope, work) =>
      inTransaction(app, `begin read write; ${setScopeSql(scope, limitMs, true)}`, work, limitMs),
    readOnly: (scope, work) => readOnly(scope, work, limitMs),
    systemTransaction: (work) =>
      inTransaction(
        system,
        limitMs === null ? 'begin' : `begin; set local statement_timeout = ${limitMs}`,
        work,
        limitMs,
      ),
    unscoped: unscopedDb(async () => {
      const client = await system.connect();
      const asked = limitMs === null ? client : withQueryTimeout(client, limitMs);
      return { query: withPreparedStatements(asked), release: () => asked.release() };
    }),
    pool: system,
    close: async () => {
      await Promise.all([app.end(), system.end()]);
    },
  });
  return { unlimited: pools(null), limited: pools(o.statementMs) };
}
