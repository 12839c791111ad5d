/**
 * Where tests put databases and files: in memory, if this machine has a file system there with room.
 * A test file's database is a copy of 1,700 files, which takes a second on a disk and 40 ms in
 * memory. Imported first by `vitest.config.ts`: what it starts inherits the folder as `TMPDIR`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
const prefix = 'trunkline-tests-';
/** Bytes that must be free: a run needs a third of it. */
const room = 6e9;

/** Folders of runs that were killed are swept: in memory they would stay until the next boot. */
function sweep(): void {
  for (const name of readdirSync(memory)) {
    if (!name.startsWith(prefix)) continue;
    try {
      process.kill(Number(name.slice(prefix.length)), 0);
    } catch {
      rmSync(join(memory, name), { recursive: true, force: true });
    }
  }
}

function hasRoom(): boolean {
  try {
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, place]) => place === memory);
    const available = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1];
    const { bavail, bsize } = statfsSync(memory);
    // Programs are run from there too.
    return (
      mount?.[2] === 'tmpfs' &&
      !mount[3]?.split(',').some((option) => option === 'noexec' || option === 'ro') &&
      Math.min(bavail * bsize, Number(available ?? 0) * 1024) > room
    );
  } catch {
    // Not Linux, or nothing of it may be read.
    return false;
  }
}

// A run within a run keeps its folder, and someone who says where keeps that.
if (
  !process.env['TMPDIR']?.startsWith(memory) &&
  process.env['TEST_ON_DISK'] !== '1' &&
  hasRoom()
) {
  const folder = join(memory, prefix + process.pid);
  sweep();
  mkdirSync(folder, { mode: 0o711 });
  process.env['TMPDIR'] = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
}
