import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { Log } from './log.ts';

/** A process's sign of life: a lock that others see as long as it is connected. */
export interface WorkerLease {
  /** The lock's number, the same for as long as the process lives. */
  id: number;
  /** As far as this process knows. */
  isHeld(): boolean;
  stop(): Promise<void>;
}
const retryMs = 200;

/**
 * A process that is killed loses its connections within milliseconds, and the lock with them; one that is merely busy keeps both,
 * however long its event loop hangs. One that loses only the connection takes the same lock again (`lease_expired`, 010_platform.sql).
 */
export async function acquireWorkerLease(url: string, log: Log): Promise<WorkerLease> {
  const id = randomInt(1, 2 ** 31 - 1);
  let stopped = false;
  let held = false;
  let client: pg.Client | null = null;
  const pause = () => new Promise((resolve) => setTimeout(resolve, retryMs));
  let markAttempted = () => {};
  const firstAttempt = new Promise<void>((resolve) => {
    markAttempted = resolve;
  });
  const done = (async () => {
    while (!stopped) {
      const connection = new pg.Client({
        connectionString: url,
        application_name: 'trunkline_lease',
        keepAlive: true,
      });
      client = connection;
      const lost = new Promise<void>((resolve) => {
        connection.on('error', () => resolve());
        connection.on('end', () => resolve());
      });
      try {
        await connection.connect();
        // Tried, not waited for: an old connection of ours that the database still believes in lets go of it soon.
        while (
          !stopped &&
          !(
            await connection.query<{ got: boolean }>('select pg_try_advisory_lock(7203, $1) got', [
              id,
            ])
          ).rows[0]?.got
        )
          await pause();
        held = true;
        markAttempted();
        if (!stopped) await lost;
      } catch (error) {
        if (!stopped) log.debug({ err: error }, 'the heartbeat could not be stored, retrying');
      } finally {
        held = false;
        markAttempted(); // one that starts while the database is away has its pulse only, for now
        await connection.end().catch(() => {});
      }
      if (!stopped) await pause();
    }
  })();
  await firstAttempt;
  return {
    id,
    isHeld: () => held,
    stop: async () => {
      stopped = true;
      await client?.end().catch(() => {});
      await done;
    },
  };
}
