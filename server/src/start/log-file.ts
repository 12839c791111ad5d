import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { withoutPersonalData } from '../platform/log-privacy.ts';
import type { Settings } from '../platform/settings.ts';

/** The log on disk. */
export interface LogFile {
  /** @param line one of a process; one that is no JSON is wrapped */
  write(role: string, line: string): void;
  end(): Promise<void>;
}

/**
 * Opens LOG_FILE: `trunkline.log` becomes `trunkline.1.log` and so on, the highest is the newest. A
 * new one begins each day and when one is full; the oldest are deleted. A disk that takes nothing
 * loses lines of the file and nothing else.
 * @param complain told once of what keeps lines from being written
 */
export async function openLogFile(
  { path, bytes, keep }: NonNullable<Settings['logFile']>,
  complain: (reason: string) => void,
): Promise<LogFile> {
  mkdirSync(dirname(path), { recursive: true });
  const { default: roll } = await import('pino-roll');
  const [, file = path, extension = ''] = /^(.*?)(\.[a-z]+)?$/.exec(path) ?? [];
  const stream = await roll({
    ...{ file, extension, frequency: 'daily', size: `${Math.ceil(bytes / 1024)}k` },
    limit: { count: keep, removeOtherLogFiles: true },
    ...{ mkdir: true, mode: 0o640 },
  });
  let isTold = false;
  stream.on('error', (error: Error) => {
    if (!isTold) complain(error.message);
    isTold = true;
  });
  return {
    write: (role, line) => {
      const isWhole = line.startsWith('{');
      const whole = isWhole
        ? line
        : JSON.stringify({ level: 30, time: Date.now(), role, msg: line });
      // Those of the processes are clean already, and it changes nothing twice.
      stream.write(`${withoutPersonalData(whole)}\n`);
    },
    end: () =>
      new Promise((resolve) => {
        stream.once('close', () => resolve());
        stream.end();
      }),
  };
}
