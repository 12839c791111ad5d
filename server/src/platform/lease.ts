import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from './log.ts';

/**
 * Who owns what until when (table `lease`, decision 91). An owner is a process, known by a random
 * number. It loses what it owns when it has not renewed it for `leaseSeconds`, or as soon as its
 * connection is gone and it has not come back (`lease_owner_died`, 010_platform.sql).
 */
export interface Leases {
  /** Number of this process, and of the advisory lock that it holds while it is connected. */
  readonly owner: number;
  /**
   * Owns `name`, which no other process uses, until `release` or `stop`. Resolves when that is
   * stored, or could not be stored because the database is away; then it is retried.
   */
  acquire(name: string): Promise<void>;
  release(name: string): Promise<void>;
  /** Whether this process may still act on what it owns, as far as it knows. */
  isHeld(): boolean;
  stop(): Promise<void>;
}

/** A lease that was not renewed for this long has expired. */
const leaseSeconds = 8;
const RENEW_MS = 1000;
const RETRY_MS = 200;
/** Without a renewal for this long a process acts no more: soon others take over. */
const RENEWAL_LOST_MS = 5000;
/** The same while its connection is lost, too: others notice that sooner. */
const SESSION_LOST_MS = 2000;
/** A connection that does not answer for this long is replaced. */
const QUERY_TIMEOUT_MS = 10_000;

/**
 * SQL condition: no living process owns what `owner` (a lease's name) claimed at `claimedAt`. Both
 * are SQL expressions. A claim younger than `leaseSeconds` counts as owned unless its owner died.
 */
export const ownerLostSql = (owner: string, claimedAt: string): string =>
  `(${owner} = any(array(select l.name from lease l
      where l.renewed_at > clock_timestamp() - interval '5 minutes' and lease_owner_died(l)))
    or (pg_postmaster_start_time() < clock_timestamp() - interval '6 seconds'
      and ${claimedAt} < clock_timestamp() - interval '${leaseSeconds} seconds'
      and not exists (select from lease l where l.name = ${owner} and l.until > clock_timestamp())))`;

const renewSql = `insert into lease (name, owner, renewed_at, until)
  select n, $2, clock_timestamp(), clock_timestamp() + make_interval(secs => $3)
    from unnest($1::text[]) n
  on conflict (name) do update
    set owner = excluded.owner, renewed_at = excluded.renewed_at, until = excluded.until`;

/**
 * Connects this process to the table of leases over a connection of its own, and renews what it
 * acquires every second. A killed process loses the connection, and with it its advisory lock,
 * within milliseconds; one whose event loop hangs keeps both. One that loses only the connection
 * takes the same lock again.
 */
export async function openLeases(url: string, log: Pick<Log, 'debug'>): Promise<Leases> {
  const leases = new ProcessLeases(url, log);
  await leases.firstAttempt;
  return leases;
}

class ProcessLeases implements Leases {
  readonly owner = randomInt(1, 2 ** 31 - 1);
  /** Settled once the first connection holds the lock, or could not be made. */
  readonly firstAttempt: Promise<void>;
  private readonly names = new Set<string>();
  private session: pg.Client | null = null;
  private isSessionHeld = false;
  private renewedAt = -Infinity;
  private stopped = false;
  private lastQuery: Promise<unknown> = Promise.resolve();
  private readonly running: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly log: Pick<Log, 'debug'>,
  ) {
    let onAttempt = () => {};
    this.firstAttempt = new Promise((resolve) => {
      onAttempt = resolve;
    });
    this.running = this.run(onAttempt);
  }

  async acquire(name: string): Promise<void> {
    this.names.add(name);
    if (this.session) await this.renew(this.session, [name]).catch(() => {}); // renewed with the others
  }

  async release(name: string): Promise<void> {
    this.names.delete(name);
    if (this.session)
      await this.query(this.session, 'delete from lease where name = $1 and owner = $2', [
        name,
        this.owner,
      ]).catch(() => {}); // expires
  }

  isHeld(): boolean {
    const maxAge = this.isSessionHeld ? RENEWAL_LOST_MS : SESSION_LOST_MS;
    return performance.now() - this.renewedAt < maxAge;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    if (this.session)
      await this.query(this.session, 'delete from lease where owner = $1', [this.owner]).catch(
        () => {},
      );
    await this.session?.end().catch(() => {});
    await this.running;
  }

  private async run(onAttempt: () => void): Promise<void> {
    while (!this.stopped) {
      await this.holdOneConnection(onAttempt);
      onAttempt(); // started while the database is away: leases are stored once it is back
      if (!this.stopped) await pause(RETRY_MS);
    }
  }

  /** Resolves when the connection is lost, or could not be made. */
  private async holdOneConnection(onHeld: () => void): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      application_name: 'trunkline_lease',
      keepAlive: true,
      query_timeout: QUERY_TIMEOUT_MS,
    });
    const broken = new Promise<void>((resolve) => {
      const onLost = () => {
        if (this.session === client) this.isSessionHeld = false;
        resolve();
      };
      client.on('error', onLost);
      client.on('end', onLost);
    });
    try {
      await client.connect();
      this.session = client;
      await Promise.race([this.renewOver(client, onHeld), broken]);
    } catch (error) {
      if (!this.stopped) this.log.debug({ err: error }, 'leases could not be renewed, retrying');
    } finally {
      this.isSessionHeld = false;
      this.session = null;
      await client.end().catch(() => {});
    }
  }

  /** Keeps the lock and the leases over this connection until a statement fails. */
  private async renewOver(client: pg.Client, onHeld: () => void): Promise<void> {
    while (!this.stopped) {
      const begun = performance.now();
      // Tried, not waited for: the database may take a moment to notice that our old connection broke.
      if (!this.isSessionHeld) this.isSessionHeld = await this.tryLock(client);
      await this.renew(client, [...this.names]);
      this.renewedAt = begun;
      if (this.isSessionHeld) onHeld();
      await pause(this.isSessionHeld ? RENEW_MS : RETRY_MS, undefined, { ref: false });
    }
  }

  private async tryLock(client: pg.Client): Promise<boolean> {
    const { rows } = await this.query<{ got: boolean }>(
      client,
      'select pg_try_advisory_lock(7203, $1) got',
      [this.owner],
    );
    return rows[0]?.got ?? false;
  }

  private async renew(client: pg.Client, names: readonly string[]): Promise<void> {
    await this.query(client, renewSql, [names, this.owner, leaseSeconds]);
  }

  /** One statement at a time: a connection runs them one after the other anyway. */
  private query<Row extends pg.QueryResultRow>(
    client: pg.Client,
    text: string,
    values: unknown[],
  ): Promise<pg.QueryResult<Row>> {
    const result = this.lastQuery.then(() => client.query<Row>(text, values));
    this.lastQuery = result.catch(() => {});
    return result;
  }
}
