import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import type { Log } from './log.ts';

/** A task broke its bounds and was ended: it took longer, or more memory, than it may. */
export class ThreadLimitError extends Error {
  constructor(readonly resource: 'time' | 'memory') {
    super(`the work used too much ${resource}`);
  }
}

/** Threads at work at once in a process; more than the machine has processors would only slow each other. */
const MAX_THREADS = 2;
const HEAP_MB = 384;

/** tsx reads TypeScript in a thread only when it is told to there. */
const typeScriptLoader = () =>
  `data:text/javascript,import { register } from ${JSON.stringify(import.meta.resolve('tsx/esm/api'))}; register();`;

declare const COMPILED: boolean; // said by the build (start/server-build.ts), where thread.js lies beside this code
let pool: Piscina | null = null;
let log: Pick<Log, 'warn'> | null = null;
/** Where this process says what became of a thread that nobody waits for any more. */
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
    // Its own settings and secrets are no business of a thread that reads strangers' files.
    execArgv: compiled ? [] : ['--import', typeScriptLoader()],
    env: { TMPDIR: tmpdir() },
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // A thread that was told to end for its time may run out of memory before it does. Nobody waits for it any
  // more, and an error that nobody listens to would end this process.
  pool.on('error', (error) => log?.warn({ err: error }, 'a reader thread failed while idle'));
  return pool;
}

/**
 * Run a task of `server/src/thread.ts` beside the event loop, so that whatever it is given, everybody else is answered
 * meanwhile. Threads are used again; one that breaks its bounds is ended.
 * @param input, and what comes back: copied, so plain data only; a Buffer arrives as a Uint8Array
 * @param seconds how long it may take, waiting for a free thread included
 * @throws OutOfBounds when it takes longer or more memory; otherwise what the task throws (as an Error with its message)
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
