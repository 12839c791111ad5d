import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A random 32-byte secret in hexadecimal, created once per data directory and readable by its owner
 * only. Throws when the directory can't be written.
 */
export function loadOrCreateSecret(dataDir: string, name: string): string {
  const path = join(dataDir, 'secrets', name);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // In two steps: a mode given to a recursive mkdir also closes the parents, and PostgreSQL runs as
  // another user further down when we are root.
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(join(dataDir, 'secrets'), { recursive: true, mode: 0o700 });
  try {
    // wx: of two processes that start at once, the second reads what the first wrote.
    writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
    chmodSync(path, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
