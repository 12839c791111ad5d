import { randomInt } from 'node:crypto';
import pg from 'pg';
import type { Log } from './log.ts';

/** A process's sign of life: a lock that others see as long as it is connected. */
export interface Life {
  /** The lock's number, the same for as long as the process lives. */
  id: number;
  /** As far as this process knows. */
  held(): boolean;
  stop(): Promise<void>;
}
const againMs = 200;

/**
 * A process that is killed loses its connections within milliseconds, and the lock with them; one that is merely busy keeps both,
 * however long its event loop hangs. One that loses only the connection takes the same lock again (`life_is_over`, migration 0270).
 */
export async function openLife(url: string, log: Log): Promise<Life> {
  const id = randomInt(1, 2 ** 31 - 1);
  let stopped = false;
  let holds = false;
  let client: pg.Client | null = null;
  const rest = () => new Promise((resolve) => setTimeout(resolve, againMs));
  let first = () => {};
  const begun = new Promise<void>((resolve) => {
    first = resolve;
  });
  const done = (async () => {
    while (!stopped) {
      const mine = new pg.Client({
        connectionString: url,
        application_name: 'trunkline_life',
        keepAlive: true,
      });
      client = mine;
      const lost = new Promise<void>((resolve) => {
        mine.on('error', () => resolve());
        mine.on('end', () => resolve());
      });
      try {
        await mine.connect();
        // Tried, not waited for: an old connection of ours that the database still believes in lets go of it soon.
        while (
          !stopped &&
          !(await mine.query<{ got: boolean }>('select pg_try_advisory_lock(7203, $1) got', [id]))
            .rows[0]?.got
        )
          await rest();
        holds = true;
        first();
        if (!stopped) await lost;
      } catch (error) {
        if (!stopped)
          log.debug({ err: error }, 'the sign of life could not be given, trying again');
      } finally {
        holds = false;
        first(); // one that starts while the database is away has its pulse only, for now
        await mine.end().catch(() => {});
      }
      if (!stopped) await rest();
    }
  })();
  await begun;
  return {
    id,
    held: () => holds,
    stop: async () => {
      stopped = true;
      await client?.end().catch(() => {});
      await done;
    },
  };
}
