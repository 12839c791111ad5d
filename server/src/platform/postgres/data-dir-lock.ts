import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lock of one `npm start` per data directory: the process that holds it, and its address. */
interface DataDirOwner {
  pid: number;
  /** Distinguishes this process from a later one with the same pid. */
  born: string;
  /** Where it can be reached, once known. */
  address: string | null;
}

export class DataDirInUseError extends Error {
  override name = 'AlreadyOwned';
  constructor(
    readonly owner: DataDirOwner,
    dataDir: string,
  ) {
    super(
      `Trunkline is already running from ${dataDir} (process ${owner.pid}${owner.address ? `, ${owner.address}` : ''}). ` +
        `Stop it first, or give this one its own directory: DATA_DIR=${dataDir}-2 npm start`,
    );
  }
}

const lockFileOf = (dataDir: string) => join(dataDir, 'owner.lock');

/** The process that owns the directory; null when there is none or the last owner is dead. */
export function readDataDirOwner(dataDir: string): DataDirOwner | null {
  try {
    const owner = JSON.parse(readFileSync(lockFileOf(dataDir), 'utf8')) as DataDirOwner;
    return isAlive(owner.pid) && processStartTime(owner.pid) === owner.born ? owner : null;
  } catch {
    return null;
  }
}

/**
 * Takes the directory for this process. A lock left by a process that is gone is taken over.
 * @throws AlreadyOwned
 */
export function lockDataDir(dataDir: string): {
  setAddress(address: string): void;
  release(): void;
} {
  mkdirSync(dataDir, { recursive: true });
  const lock = lockFileOf(dataDir);
  const claim = `${lock}.${process.pid}`;
  const me: DataDirOwner = { pid: process.pid, born: processStartTime(process.pid), address: null };
  writeFileSync(claim, JSON.stringify(me));
  try {
    for (;;) {
      try {
        // A link appears whole or not at all, so a half-written lock is never read.
        linkSync(claim, lock);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const owner = readDataDirOwner(dataDir);
      if (owner && owner.pid !== process.pid) throw new DataDirInUseError(owner, dataDir);
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(claim, { force: true });
  }
  const stillMine = () => readDataDirOwner(dataDir)?.pid === process.pid;
  return {
    setAddress(address) {
      if (!stillMine()) return;
      writeFileSync(claim, JSON.stringify({ ...me, address }));
      renameSync(claim, lock);
    },
    release() {
      if (stillMine()) rmSync(lock, { force: true });
    },
  };
}

/** Whether a process runs, under any user. Zombies count as dead. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // In a container whose first process does not reap zombies, dead processes stay listed.
  return processStat(pid)?.[0] !== 'Z';
}

/** When a process started, in the system's own format; empty when unknown. */
function processStartTime(pid: number): string {
  const fields = processStat(pid);
  if (fields) return fields[19] ?? '';
  return process.platform === 'win32'
    ? ''
    : (spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ??
        '');
}

/** Linux only: the fields of /proc/<pid>/stat from the state on. */
function processStat(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the state is in parentheses and may itself contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
