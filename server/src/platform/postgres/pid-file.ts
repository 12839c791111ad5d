import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isAlive } from './data-dir-lock.ts';

export interface Server {
  pid: number;
  port: number;
}

/** The data directory of PostgreSQL within the cluster's own. */
export const dataDirOf = (home: string) => join(home, 'data');

/**
 * The server that already runs on this data directory, whichever process started it; null when
 * there is none.
 */
export function runningServer(home: string): Server | null {
  const recorded = recordedServer(home);
  return recorded && isAlive(recorded.pid) && isServing(recorded.pid, dataDirOf(home))
    ? recorded
    : null;
}

/** Pid and port of the last server, from its pid file. */
function recordedServer(home: string): Server | null {
  try {
    const lines = readFileSync(join(dataDirOf(home), 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  } catch {
    return null;
  }
}

/** Our servers are always started with the full path of their directory. */
function isServing(pid: number, data: string): boolean {
  if (process.platform === 'win32') return true;
  const command = existsSync(`/proc/${pid}/cmdline`)
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    : spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
  return command.includes('postgres') && command.includes(data);
}

/**
 * PostgreSQL refuses to start while the pid of its last server exists, even when that is a zombie
 * or another program. Its pid file is all that keeps a new server off data that orphaned processes
 * still write, so it is removed only when no process works in the directory. Throws when processes
 * still use the directory after 10 s.
 */
export async function removeStalePidFile(home: string): Promise<void> {
  const recorded = recordedServer(home);
  if (
    !recorded ||
    !existsSync('/proc/self') ||
    !existsSync(`/proc/${recorded.pid}`) ||
    runningServer(home)
  )
    return;
  const deadline = performance.now() + 10_000;
  while (isDataDirInUse(dataDirOf(home))) {
    if (performance.now() > deadline)
      throw new Error(
        `Processes of an earlier PostgreSQL are still running in ${dataDirOf(home)}. End them, or restart the machine`,
      );
    await pause(50);
  }
  rmSync(join(dataDirOf(home), 'postmaster.pid'), { force: true });
}

function isDataDirInUse(directory: string): boolean {
  const data = realpathSync(directory);
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === data;
    } catch {
      return false;
    }
  });
}
