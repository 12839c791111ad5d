import { readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import type pg from 'pg';

/**
 * People first: the database's processes that work on what nobody waits for let go of a processor when one that serves a person wants
 * it. Niceness is enough for that and starves nobody: against one that competes, five steps leave about a quarter of a processor.
 * Where the system does not know it, or does not allow it, all stay equal. The worker itself stays as it is: it keeps
 * the time of calls, for which people do wait.
 */
export const NICE_INCREMENT = 5;

/** The process behind a connection stands back; known only of a database on this machine, and only touched when it says itself whom it serves. */
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
    // Below where it stands: a whole machine may have been told to stand back already.
    if (title.startsWith('postgres: ') && title.includes(`(${port})`))
      setPriority(processID, Math.min(19, getPriority(processID) + NICE_INCREMENT));
  } catch {
    /* it belongs to somebody else, or this is no Linux */
  }
}
