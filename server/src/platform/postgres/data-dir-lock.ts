import { spawnSync } from 'node:child_process';
import {
  closeSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lockFolder, type FolderLock } from './folder-lock.ts';

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
  /** @param owner null: it can't be seen from here, as in another container */
  constructor(owner: DataDirOwner | null, dataDir: string) {
    const own = `give this one its own directory: DATA_DIR=${dataDir}-2 npm start`;
    super(
      owner
        ? `Trunkline is already running from ${dataDir} (process ${owner.pid}${owner.address ? `, ${owner.address}` : ''}). Stop it first, or ${own}`
        : `Trunkline is already running from ${dataDir}, in another container or where its process can’t be seen from here. Run commands inside that container (docker compose exec trunkline npm run …), stop it first, or ${own}`,
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

/** A data directory that is this process's alone. */
interface OwnedDataDir {
  /** Why a start in another container wouldn't be noticed. Null: it would be refused. */
  unlockable: string | null;
  setAddress(address: string): void;
  release(): void;
}

/**
 * Takes the directory for this process. A lock left by a process that is gone is taken over.
 * @throws AlreadyOwned
 */
export async function lockDataDir(dataDir: string): Promise<OwnedDataDir> {
  mkdirSync(dataDir, { recursive: true });
  const lock = await lockForOwner(dataDir);
  let fd = lock.state === 'taken' ? lock.fd : null;
  const free = () => {
    if (fd !== null) closeSync(fd);
    fd = null;
  };
  try {
    const named = nameOwner(dataDir);
    return {
      unlockable: lock.state === 'unlockable' && process.platform === 'linux' ? lock.reason : null,
      setAddress: named.setAddress,
      release() {
        named.release();
        free();
      },
    };
  } catch (error) {
    free();
    throw error;
  }
}

/**
 * Does something that must be alone with the directory.
 * @throws AlreadyOwned
 */
export async function whileOwned<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const owned = await lockDataDir(dataDir);
  return work().finally(owned.release);
}

/**
 * Locks the directory itself, which counts in other containers, too.
 * @throws AlreadyOwned
 */
async function lockForOwner(dataDir: string): Promise<Exclude<FolderLock, { state: 'held' }>> {
  const deadline = performance.now() + 1_000;
  for (;;) {
    const lock = lockFolder(dataDir);
    if (lock.state !== 'held') return lock;
    const owner = readDataDirOwner(dataDir);
    // It has not written its name yet, or somebody only looks whether there is one.
    if (owner || performance.now() > deadline) throw new DataDirInUseError(owner, dataDir);
    await pause(50);
  }
}

/**
 * Writes who owns the directory, for those who see this process: its address, and that their
 * commands can use its database. Where the directory can't be locked, it is all that protects it.
 * @throws AlreadyOwned
 */
function nameOwner(dataDir: string): Pick<OwnedDataDir, 'setAddress' | 'release'> {
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
