import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Log } from './log.ts';

/** A task exceeded its limit of time or memory and was terminated. */
export class ThreadLimitError extends Error {
  constructor(readonly resource: 'time' | 'memory') {
    super(`the work used too much ${resource}`);
  }
}

/**
 * Threads that work at once in a process; more threads than processors would only slow each other
 * down.
 */
const MAX_THREADS = 2;
const HEAP_MB = 384;

/** tsx compiles TypeScript in a thread only when it is registered there. */
const typeScriptLoader = () =>
  `data:text/javascript,import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; register();`;

declare const COMPILED: boolean; // Defined by the build (start/server-build.ts), which puts thread.js beside this code.
let pool: Piscina | null = null;
let log: Pick<Log, 'warn'> | null = null;
/** Errors of threads whose task has already timed out are logged here. */
export const setThreadLogger = (to: Pick<Log, 'warn'>): void => {
  log = to;
};
function threadPool(): Piscina {
  const compiled = typeof COMPILED !== 'undefined';
  if (pool) return pool;
  pool = new Piscina({
    filename: compiled
      ? fileURLToPath(import.meta.resolve('./thread.js'))
      : join(import.meta.dirname, '../thread.ts'),
    // A thread that reads untrusted files needs none of the process's settings and secrets.
    execArgv: compiled ? [] : ['--import', typeScriptLoader()],
    env: { TMPDIR: tmpdir() },
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // A thread terminated for its time may run out of memory first. Its task has timed out already,
  // and an unhandled error event would end this process.
  pool.on('error', (error) => log?.warn({ err: error }, 'a reader thread failed while idle'));
  return pool;
}

/**
 * Runs a task of `server/src/thread.ts` outside the event loop, so that the process keeps
 * responding whatever the input is. Threads are reused; one that exceeds its limits is terminated.
 * @param input copied, like the result, so plain data only; a Buffer arrives as a Uint8Array
 * @param seconds time limit, including the wait for a free thread
 * @throws OutOfBounds when it exceeds its time or memory; otherwise the task's own error (as an
 * Error with its message)
 */
export async function runInThread<T>(task: string, input: unknown, seconds: number): Promise<T> {
  try {
    return (await threadPool().run(
      { task, input },
      { signal: AbortSignal.timeout(seconds * 1000) },
    )) as T;
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw new ThreadLimitError('time');
    if ((error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new ThreadLimitError('memory');
    throw error;
  }
}
