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
export const leaseSeconds = 8;
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
  select n, $2, clock_timestamp(), clock_timestamp() + make_interval(secs => $3) from unnest($1::text[]) n
  on conflict (name) do update
    set owner = excluded.owner, renewed_at = excluded.renewed_at, until = excluded.until`;

/**
 * Connects this process to the table of leases over a connection of its own, and renews what it
 * acquires every second. A killed process loses the connection, and with it its advisory lock,
 * within milliseconds; one whose event loop hangs keeps both. One that loses only the connection
 * takes the same lock again.
 */
export async function openLeases(url: string, log: Pick<Log, 'debug'>): Promise<Leases> {
  const owner = randomInt(1, 2 ** 31 - 1);
  const names = new Set<string>();
  let session: pg.Client | null = null;
  let isSessionHeld = false;
  let renewedAt = -Infinity;
  let stopped = false;

  const renew = (client: pg.Client, renewed: readonly string[]) =>
    client.query(renewSql, [renewed, owner, leaseSeconds]);
  /** Keeps the lock and the leases over this connection until it breaks. */
  const holdOver = async (client: pg.Client, onFirstRenewal: () => void) => {
    while (!stopped) {
      const renewing = performance.now();
      // Tried, not waited for: the database may take a moment to notice that our old connection broke.
      if (!isSessionHeld) {
        const { rows } = await client.query<{ got: boolean }>(
          'select pg_try_advisory_lock(7203, $1) got',
          [owner],
        );
        isSessionHeld = rows[0]?.got ?? false;
      }
      await renew(client, [...names]);
      renewedAt = renewing;
      if (isSessionHeld) onFirstRenewal();
      await pause(isSessionHeld ? RENEW_MS : RETRY_MS, undefined, { ref: false });
    }
  };
  let markAttempted = () => {};
  const firstAttempt = new Promise<void>((resolve) => {
    markAttempted = resolve;
  });
  const held = (async () => {
    while (!stopped) {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'trunkline_lease',
        keepAlive: true,
        query_timeout: QUERY_TIMEOUT_MS,
      });
      const broken = new Promise<void>((resolve) => {
        client.on('error', () => resolve());
        client.on('end', () => resolve());
      });
      void broken.then(() => {
        if (session === client) isSessionHeld = false;
      });
      try {
        await client.connect();
        session = client;
        await Promise.race([holdOver(client, markAttempted), broken]);
      } catch (error) {
        if (!stopped) log.debug({ err: error }, 'leases could not be renewed, retrying');
      } finally {
        isSessionHeld = false;
        session = null;
        markAttempted(); // started while the database is away: leases are stored once it is back
        await client.end().catch(() => {});
      }
      if (!stopped) await pause(RETRY_MS);
    }
  })();
  await firstAttempt;
  return {
    owner,
    acquire: async (name) => {
      names.add(name);
      if (session) await renew(session, [name]).catch(() => {}); // renewed with the others
    },
    release: async (name) => {
      names.delete(name);
      await session
        ?.query('delete from lease where name = $1 and owner = $2', [name, owner])
        .catch(() => {}); // expires
    },
    isHeld: () =>
      performance.now() - renewedAt < (isSessionHeld ? RENEWAL_LOST_MS : SESSION_LOST_MS),
    stop: async () => {
      stopped = true;
      await session?.query('delete from lease where owner = $1', [owner]).catch(() => {});
      await session?.end().catch(() => {});
      await held;
    },
  };
}
