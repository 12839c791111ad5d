import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A lock of the kernel on a folder. It counts in every container and PID namespace that has the
 * folder, ends with the last process that has it open, however that ends, and has no file that
 * somebody could delete. `unlockable`: the file system, or this machine, can't do that.
 */
export type FolderLock =
  | { state: 'taken'; fd: number }
  | { state: 'held' }
  | { state: 'unlockable'; reason: string };

/**
 * Tries to lock a folder. What is taken stays with `fd`, and with each process that it is passed to,
 * until all have closed it.
 */
export function lockFolder(folder: string): FolderLock {
  // Elsewhere there are no PID namespaces, and the process named in `owner.lock` says enough.
  if (process.platform !== 'linux') return { state: 'unlockable', reason: process.platform };
  const fd = openSync(folder, 'r');
  // Node can't lock. The lock that this program takes on our open folder is ours when it has ended.
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
    encoding: 'utf8',
  });
  if (status === 0) return { state: 'taken', fd };
  closeSync(fd);
  const reason = error
    ? 'the program flock is missing (package util-linux)'
    : stderr.trim().split('\n')[0] || null;
  // It is silent only when another has the lock.
  return status === 1 && reason === null
    ? { state: 'held' }
    : { state: 'unlockable', reason: reason ?? `flock ended with ${status}` };
}

/** Whether a process has locked the folder, here or in another container. False: can't be known. */
export function isFolderLocked(folder: string): boolean {
  const lock = lockFolder(folder);
  if (lock.state === 'taken') closeSync(lock.fd);
  return lock.state === 'held';
}

/**
 * The lock of a PostgreSQL on its home, which it has to inherit: it ends with the server's last
 * process. Null: it can't be locked.
 * @throws Error when processes of an earlier server still have it after 10 s
 */
export async function lockForServer(home: string): Promise<number | null> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const lock = lockFolder(home);
    if (lock.state === 'taken') return lock.fd;
    if (lock.state === 'unlockable') return null;
    if (performance.now() > deadline)
      throw new Error(
        `Processes of an earlier PostgreSQL are still running in ${home}, in another container or where they can’t be seen from here. End them, or restart the machine`,
      );
    await pause(100);
  }
}
