import { readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type pg from 'pg';

/**
 * Lowers the OS priority of the database's processes that serve background connections, so that
 * requests get the processor first. A nice value of five leaves them about a quarter of a contended
 * processor, so they never starve. Where the system does not support or permit it, all keep the
 * same priority. The worker process that runs the call clock is not reniced; that of long jobs is.
 */
export const NICE_INCREMENT = 5;

/**
 * Renices the process behind a connection. Only for a database on this machine, and only after the
 * process has confirmed which connection it serves.
 */
export function lowerConnectionPriority(client: pg.PoolClient): void {
  const { processID, connection } = client as unknown as {
    processID?: number;
    connection?: { stream?: { localPort?: number; remoteAddress?: string } };
  };
  const port = connection?.stream?.localPort;
  if (
    !processID ||
    !port ||
    !/^(::ffff:)?127\.|^::1$/.test(connection?.stream?.remoteAddress ?? '')
  )
    return;
  try {
    const title = readFileSync(`/proc/${processID}/cmdline`, 'utf8');
    // Relative to its current value: the whole server may already be reniced.
    if (title.startsWith('postgres: ') && title.includes(`(${port})`))
      setPriority(processID, Math.min(19, getPriority(processID) + NICE_INCREMENT));
  } catch {
    /* it belongs to somebody else, or this is no Linux */
  }
}

/** Lowers this process's own OS priority by as much, and that of the threads and programs it starts from then on. */
export function lowerOwnPriority(): void {
  const nice = Math.min(19, getPriority() + NICE_INCREMENT);
  try {
    setPriority(nice);
    // Linux may weigh sessions against each other, and the supervisor gave this process one of its own.
    writeFileSync('/proc/self/autogroup', String(nice));
  } catch {
    /* not permitted, or this is no Linux */
  }
}
