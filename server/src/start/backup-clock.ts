import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { lastAttemptAt } from '../backup/backup-runs.ts';
import type { Settings } from '../platform/settings.ts';
import { forwardOutput } from './supervisor-log.ts';

const root = join(import.meta.dirname, '../../..');
const checkEveryMs = 60_000;

/**
 * The last time of day `at` (`HH:MM` in UTC) that has passed.
 * @param now any time
 */
export function lastDue(at: string, now: Date): Date {
  const due = new Date(`${now.toISOString().slice(0, 10)}T${at}:00Z`);
  return due <= now ? due : new Date(due.getTime() - 86_400_000);
}

/**
 * Makes the daily backup in a process of its own, so that nothing else waits for it. One that was
 * missed because nothing ran is made up for; a failed one is tried again the next day. Of several
 * machines the first one makes it.
 * @returns stops the clock, and a backup that is being made
 */
export function startBackupClock(
  settings: Pick<Settings, 'backup'>,
  databaseUrl: string,
  log: (line: string) => void,
): () => Promise<void> {
  let running: ReturnType<typeof spawn> | null = null;
  const tick = async () => {
    if (running) return;
    const last = await lastAttemptAt(databaseUrl);
    if (running || (last && last >= lastDue(settings.backup.at, new Date()))) return;
    log('Making the daily backup …');
    const child = spawn(process.execPath, ['--import', 'tsx', 'tools/backup.ts', '--scheduled'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running = child;
    forwardOutput('backup', child.stdout);
    forwardOutput('backup', child.stderr);
    child.on('exit', () => (running = null));
  };
  const safely = () =>
    void tick().catch((error: unknown) => log(`The backup clock failed: ${String(error)}`));
  const timer = setInterval(safely, checkEveryMs);
  safely();
  return async () => {
    clearInterval(timer);
    running?.kill('SIGTERM');
  };
}
