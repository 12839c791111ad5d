import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Settings } from '../platform/settings.ts';
import { openLogFile, type LogFile } from './log-file.ts';

/** Formats our output: text for a terminal, one JSON object per line in production. */
export const jsonOutput = process.env.NODE_ENV === 'production';
const useColour = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, words: string) =>
  useColour ? `\u001b[${code}m${words}\u001b[0m` : words;
const levelNames: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

let logFile: LogFile | null = null;
/** From now on, lines are written to LOG_FILE, too, until the function that it returns is called. */
export async function startLogFile(
  settings: NonNullable<Settings['logFile']>,
): Promise<() => Promise<void>> {
  const file = await openLogFile(settings, (reason) =>
    logLine(`The log can’t be written to LOG_FILE: ${reason}`, 'error'),
  ).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`LOG_FILE=${settings.path} can’t be written: ${reason}`);
  });
  logFile = file;
  return () => {
    logFile = null;
    return file.end();
  };
}

/** One line from the supervisor itself. */
export function logLine(line: string, level: 'info' | 'warn' | 'error' = 'info'): void {
  const json = JSON.stringify({
    ...{ level: { info: 30, warn: 40, error: 50 }[level], time: Date.now() },
    ...{ role: 'supervisor', msg: line },
  });
  logFile?.write('supervisor', json);
  if (jsonOutput) process.stdout.write(`${json}\n`);
  else
    process.stdout.write(
      `${level === 'info' ? '' : `${paint(level === 'warn' ? 33 : 31, level)} `}${line}\n`,
    );
}

/** Forwards a process's output, prefixed with its name. */
export function forwardOutput(role: string, stream: Readable): void {
  createInterface({ input: stream }).on('line', (line) => {
    logFile?.write(role, line);
    process.stdout.write(
      `${jsonOutput && line.startsWith('{') ? line : `${paint(36, role.padEnd(6))} ${formatLogLine(line)}`}\n`,
    );
  });
}

/** A structured log line as text; any other line unchanged. */
function formatLogLine(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const {
      level,
      time: _time,
      role: _role,
      pid: _pid,
      hostname: _hostname,
      msg = '',
      err,
      ...facts
    } = JSON.parse(line) as Record<string, unknown> & {
      level?: number;
      err?: { message?: string; stack?: string };
    };
    const shown = Object.entries(facts).map(
      ([name, value]) =>
        `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    );
    return [
      levelNames[level ?? 30] ?? String(level),
      String(msg),
      ...shown,
      err ? `\n${err.stack ?? err.message ?? ''}` : '',
    ]
      .filter(Boolean)
      .join(' ');
  } catch {
    return line;
  }
}
