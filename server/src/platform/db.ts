import type pg from 'pg';
import type { Tx } from './db-connection.ts';
import { LimitedPools, type TenantScope } from './db-pools.ts';
import { laneLimits, lanes, LaneSlots, RequestSlot, type Lane, type LaneUser } from './lanes.ts';
import type { Log } from './log.ts';
import { Pools } from './pools.ts';
import { Replica } from './replica.ts';
import type { DatabaseLogins } from './roles.ts';

export { oneRow, prepared, type Tx } from './db-connection.ts';

export interface Db {
  /** Runs `work` in a transaction as the application's role, bound to one company by row-level security. */
  transaction<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Reads in the same scope without a transaction around the statements, which saves two round trips.
   * The connection refuses to write. For work whose statements need no common snapshot.
   */
  readOnly<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Reads in the same scope as of one moment, however long it takes and whatever is written meanwhile
   * (repeatable read). It holds a connection and blocks nobody: for background work only.
   */
  snapshot<T>(scope: TenantScope, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction as the system role: sessions, directories, relay. Never with input that names a company unchecked. */
  systemTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** One statement as the system role, no transaction around it. */
  readonly unscoped: Tx;
  readonly pool: pg.Pool;
  /**
   * The same database for background work (campaigns, their receipts): few connections of
   * its own, whose PostgreSQL processes have a lower priority (decision 32).
   */
  readonly background: Db;
  /**
   * The same database and connections for requests: a statement that takes longer than `statementMs`
   * is stopped (57014), and so is waiting for a database that does not answer. Jobs may take long and
   * use the other one.
   */
  readonly forRequests: Db;
  /**
   * The same for one request in a lane (`lanes.ts`), on connections apart from those that carriers'
   * webhooks and sockets use. Work waits for its turn and fails with `busy` if that takes too long.
   * @param signal aborted when the client has gone: what it reads is stopped
   */
  inLane(lane: Lane, user: LaneUser, signal?: AbortSignal): Db;
  /**
   * Seconds by which the read replica is behind; null: it doesn't answer, or replicates another
   * database; undefined: there is none.
   */
  replicaLag(): Promise<number | null | undefined>;
  close(): Promise<void>;
}

interface DbOptions {
  /** Connections as the application's role. */
  size?: number;
  /** How long work waits for a connection before it fails; milliseconds. */
  waitMs?: number;
  /** Name of the process, in the connections' application name. */
  process?: string;
  /** Of the two roles; null: both use that of `url`, which can become either. */
  logins?: DatabaseLogins | null;
  /** How long one statement of a request may take; milliseconds. */
  statementMs?: number;
  /** Of a replica that reports may read; null: there is none. */
  replicaUrl?: string | null;
  /** Whether everything that this process does gives way to what others do (decision 32). */
  lowPriority?: boolean;
}

/** Opens the pools of both roles; those of `background` when it is used first. */
export function openDb(url: string, log: Log, options: DbOptions = {}): Db {
  const { size = 10, waitMs = 2000, process = '', logins = null, statementMs = 8000 } = options;
  const foreground = new Pools(url, log, {
    app: size,
    system: Math.max(4, Math.ceil(size / 2)),
    name: process,
    waitMs,
    lowPriority: options.lowPriority ?? false,
    logins,
  });
  let backgroundPools: Pools | null = null;
  let background: Db | null = null;
  const openBackground = (): Db => {
    backgroundPools = new Pools(url, log, {
      app: 4,
      system: 3,
      name: `${process} behind`,
      waitMs: Math.max(waitMs, 10_000),
      lowPriority: true,
      logins,
    });
    const opened: Db = dbOf(new LimitedPools(backgroundPools, null, null, 'background'), {
      background: () => opened,
      forRequests: () => opened,
      inLane: () => opened,
      replicaLag: () => related.replicaLag(),
      close: () => Promise.resolve(),
    });
    return opened;
  };
  const slots = new Map(lanes.map((lane) => [lane, new LaneSlots(lane, laneLimits[lane])]));
  // Opened when used first: only web processes answer requests.
  let requestPools: Pools | null = null;
  let reportPools: Pools | null = null;
  const replica = openReplica(log, options);
  const openFor = (what: string, app: number, lowPriority: boolean) =>
    new Pools(url, log, {
      ...{ app, system: Math.ceil(app / 2), name: `${process} ${what}`, lowPriority, logins },
      waitMs: Math.max(waitMs, 10_000),
    });
  const poolsOf = (lane: Lane): Pools => {
    if (lane === 'calls') return foreground;
    // A slot may hold two connections at once.
    const { writes, lists, figures } = laneLimits;
    if (lane === 'reports' || lane === 'figures')
      return (reportPools ??= openFor('reports', 4 + figures.slots, true));
    return (requestPools ??= openFor('requests', writes.slots + lists.slots + 2, false));
  };
  const related: Related = {
    inLane: (lane: Lane, user: LaneUser, signal?: AbortSignal): Db => {
      const slot = new RequestSlot(slots.get(lane)!, user, signal);
      const limitMs = statementMs * laneLimits[lane].statementShare;
      const reads = lane === 'reports' || lane === 'figures' ? replica : null;
      return dbOf(new LimitedPools(poolsOf(lane), limitMs, slot, lane, reads), related);
    },
    background: () => (background ??= openBackground()),
    forRequests: () => forRequests,
    replicaLag: async () => replica?.lagSeconds(foreground.app),
    close: async () => {
      const opened = [foreground, requestPools, reportPools, backgroundPools, replica?.pools];
      await Promise.all(opened.map((pools) => pools?.close()));
    },
  };
  const forRequests = dbOf(new LimitedPools(foreground, statementMs, null, 'webhooks'), related);
  return dbOf(new LimitedPools(foreground, null), related);
}

/** The pools of the replica, with the logins of the database itself: it has the same. */
function openReplica(
  log: Log,
  { replicaUrl = null, logins = null, process = '' }: DbOptions,
): Replica | null {
  if (replicaUrl === null) return null;
  const there = (login: string): string => {
    const address = new URL(replicaUrl);
    ({ username: address.username, password: address.password } = new URL(login));
    return address.href;
  };
  const { figures, reports } = laneLimits;
  const pools = new Pools(replicaUrl, log, {
    // A slot may hold two connections at once.
    app: 2 * (figures.slots + reports.slots),
    system: 1,
    name: `${process} replica`,
    waitMs: 2000,
    lowPriority: false,
    logins: logins && {
      trunkline_app: there(logins.trunkline_app),
      trunkline_system: there(logins.trunkline_system),
    },
  });
  return new Replica(pools, log);
}

interface Related {
  background(): Db;
  forRequests(): Db;
  inLane: Db['inLane'];
  replicaLag: Db['replicaLag'];
  close(): Promise<void>;
}
const dbOf = (limited: LimitedPools, related: Related): Db => ({
  transaction: limited.transaction,
  readOnly: limited.readOnly,
  snapshot: limited.snapshot,
  systemTransaction: limited.systemTransaction,
  pool: limited.pool,
  inLane: related.inLane,
  replicaLag: related.replicaLag,
  close: related.close,
  get unscoped() {
    return limited.unscoped;
  },
  get background() {
    return related.background();
  },
  get forRequests() {
    return related.forRequests();
  },
});

/** The same database, which starts no transaction and no statement once `signal` is aborted; it throws its reason. */
export function abortableDb(db: Db, signal: AbortSignal): Db {
  const checked = (): Db => {
    signal.throwIfAborted();
    return db;
  };
  return {
    transaction: async (scope, work) => checked().transaction(scope, work),
    readOnly: async (scope, work) => checked().readOnly(scope, work),
    snapshot: async (scope, work) => checked().snapshot(scope, work),
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
    inLane: (...lane) => abortableDb(db.inLane(...lane), signal),
    replicaLag: async () => checked().replicaLag(),
    close: () => db.close(),
  };
}
