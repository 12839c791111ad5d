import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Listening, type Addresses, type Bound } from './addresses.ts';
import { passOn, say } from './say.ts';
import type { Code } from './server-build.ts';

const root = join(import.meta.dirname, '../../..');

/** One process that is kept alive. */
export interface Crewman {
  role: string;
  /** Resolves when it first says that it is ready; rejects when it keeps dying before that. */
  ready: Promise<void>;
  /** Where the others listen now; one that is not there hears it from its environment when it comes back. */
  tell(addresses: Addresses): void;
  /** Lets it finish what it has at hand and starts it anew, for changed sources. */
  restart(): void;
  /** SIGTERM, then SIGKILL for one that has not drained after `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

const firstWaitMs = 200;
const longestWaitMs = 5_000;
/** A process that was at work this long starts over with the short wait: it was ended, and does not fail by itself again and again. */
const settledMs = 2_000;
/** Dying this often without ever having been ready is a mistake in the installation, not an accident. */
const triesBeforeReady = 5;

/**
 * Starts our `main` in one role and starts it again whenever it ends.
 * @param env asked anew at each start
 * @param listens hears the ports it has bound
 */
export function employ(
  role: string,
  env: () => Record<string, string>,
  code: () => Code,
  listens: (ports: Bound) => void = () => {},
): Crewman {
  let child: ChildProcess | null = null;
  let waitMs = firstWaitMs;
  let wasReady = false;
  let deaths = 0;
  let stopping = false;
  let renewing = false;
  let timer: NodeJS.Timeout | undefined;
  let becomeReady = () => {};
  let giveUp = (_reason: Error) => {};
  const ready = new Promise<void>((resolve, reject) => {
    becomeReady = resolve;
    giveUp = reject;
  });
  // Whoever waits hears it; nobody waiting is no reason to crash.
  ready.catch(() => {});

  const begin = () => {
    let readyAt = Infinity;
    const { flags, file } = code();
    // Detached: Ctrl-C reaches only the supervisor, which then lets everybody drain in order.
    const current = spawn(
      process.execPath,
      [...flags, '--import', pathToFileURL(file('leash')).href, file('main')],
      {
        cwd: root,
        env: { ...process.env, ...env(), ROLES: role },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        detached: process.platform !== 'win32',
      },
    );
    child = current;
    if (current.stdout) passOn(role, current.stdout);
    if (current.stderr) passOn(role, current.stderr);
    current.on('message', (message) => {
      const bound = Listening.safeParse(message);
      if (bound.success) return listens(bound.data.listening);
      if (typeof message !== 'object' || message === null || !('ready' in message)) return;
      if (wasReady) say(`${role} is back (process ${current.pid})`);
      wasReady = true;
      readyAt = performance.now();
      becomeReady();
    });
    current.on('error', (error) => say(`${role} could not be started: ${error.message}`, 'error'));
    current.once('close', (code, signal) => {
      child = null;
      if (stopping) return;
      if (renewing) {
        renewing = false;
        begin();
        return;
      }
      deaths += 1;
      if (!wasReady && deaths >= triesBeforeReady) {
        giveUp(
          new Error(
            `${role} ended ${deaths} times before it was ready; its last words stand above`,
          ),
        );
        return;
      }
      if (performance.now() - readyAt > settledMs) waitMs = firstWaitMs;
      say(
        `${role} (process ${current.pid}) ended with ${signal ?? `code ${code}`}; starting it again in ${waitMs / 1000} s`,
        'warn',
      );
      timer = setTimeout(begin, waitMs);
      waitMs = Math.min(waitMs * 2, longestWaitMs);
    });
  };
  begin();

  return {
    role,
    ready,
    tell(addresses) {
      if (child?.connected) child.send({ addresses });
    },
    restart() {
      if (!child || renewing) return;
      renewing = true;
      child.kill('SIGTERM');
    },
    async stop(patienceMs) {
      stopping = true;
      clearTimeout(timer);
      const last = child;
      if (!last || last.exitCode !== null || last.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => last.once('exit', () => resolve()));
      last.kill('SIGTERM');
      const hurry = setTimeout(() => {
        say(`${role} did not drain within ${patienceMs / 1000} s and is ended`, 'warn');
        last.kill('SIGKILL');
      }, patienceMs);
      await gone;
      clearTimeout(hurry);
    },
  };
}
