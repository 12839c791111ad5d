import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ListeningMessage, type Addresses, type BoundPorts } from './addresses.ts';
import { forwardOutput, logLine } from './supervisor-log.ts';
import type { ServerCode } from './server-build.ts';

const root = join(import.meta.dirname, '../../..');

/** One process that is kept alive. */
export interface SupervisedProcess {
  role: string;
  /** Resolves when it first says that it is ready; rejects when it keeps dying before that. */
  ready: Promise<void>;
  /** Where the others listen now; one that is not there hears it from its environment when it comes back. */
  sendAddresses(addresses: Addresses): void;
  /** Lets it finish what it has at hand and starts it anew, for changed sources. */
  restart(): void;
  /** SIGTERM, then SIGKILL for one that has not drained after `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

const firstBackoffMs = 200;
const maxBackoffMs = 5_000;
/** A process that was at work this long starts over with the short wait: it was ended, and does not fail by itself again and again. */
const stableAfterMs = 2_000;
/** Dying this often without ever having been ready is a mistake in the installation, not an accident. */
const maxDeathsBeforeReady = 5;

/**
 * Starts our `main` in one role and starts it again whenever it ends.
 * @param env asked anew at each start
 * @param onBound hears the ports it has bound
 */
export function superviseProcess(
  role: string,
  env: () => Record<string, string>,
  code: () => ServerCode,
  onBound: (ports: BoundPorts) => void = () => {},
): SupervisedProcess {
  let child: ChildProcess | null = null;
  let backoffMs = firstBackoffMs;
  let wasReady = false;
  let deaths = 0;
  let stopping = false;
  let restarting = false;
  let timer: NodeJS.Timeout | undefined;
  let resolveReady = () => {};
  let rejectReady = (_reason: Error) => {};
  const ready = new Promise<void>((resolve, reject) => {
    resolveReady = resolve;
    rejectReady = reject;
  });
  // Whoever waits hears it; nobody waiting is no reason to crash.
  ready.catch(() => {});

  const spawnChild = () => {
    let readyAt = Infinity;
    const { nodeArgs: flags, file } = code();
    // Detached: Ctrl-C reaches only the supervisor, which then lets everybody drain in order.
    const current = spawn(
      process.execPath,
      [...flags, '--import', pathToFileURL(file('exitWithParent')).href, file('main')],
      {
        cwd: root,
        env: { ...process.env, ...env(), ROLES: role },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        detached: process.platform !== 'win32',
      },
    );
    child = current;
    if (current.stdout) forwardOutput(role, current.stdout);
    if (current.stderr) forwardOutput(role, current.stderr);
    current.on('message', (message) => {
      const bound = ListeningMessage.safeParse(message);
      if (bound.success) return onBound(bound.data.listening);
      if (typeof message !== 'object' || message === null || !('ready' in message)) return;
      if (wasReady) logLine(`${role} is back (process ${current.pid})`);
      wasReady = true;
      readyAt = performance.now();
      resolveReady();
    });
    current.on('error', (error) =>
      logLine(`${role} couldn’t be started: ${error.message}`, 'error'),
    );
    current.once('close', (code, signal) => {
      child = null;
      if (stopping) return;
      if (restarting) {
        restarting = false;
        spawnChild();
        return;
      }
      deaths += 1;
      if (!wasReady && deaths >= maxDeathsBeforeReady) {
        rejectReady(
          new Error(
            `${role} exited ${deaths} times before it was ready; see its last output above`,
          ),
        );
        return;
      }
      if (performance.now() - readyAt > stableAfterMs) backoffMs = firstBackoffMs;
      logLine(
        `${role} (process ${current.pid}) exited with ${signal ?? `code ${code}`}; restarting it in ${backoffMs / 1000} s`,
        'warn',
      );
      timer = setTimeout(spawnChild, backoffMs);
      backoffMs = Math.min(backoffMs * 2, maxBackoffMs);
    });
  };
  spawnChild();

  return {
    role,
    ready,
    sendAddresses(addresses) {
      if (child?.connected) child.send({ addresses });
    },
    restart() {
      if (!child || restarting) return;
      restarting = true;
      child.kill('SIGTERM');
    },
    async stop(patienceMs) {
      stopping = true;
      clearTimeout(timer);
      const last = child;
      if (!last || last.exitCode !== null || last.signalCode !== null) return;
      const exited = new Promise<void>((resolve) => last.once('exit', () => resolve()));
      last.kill('SIGTERM');
      const killTimer = setTimeout(() => {
        logLine(`${role} did not shut down within ${patienceMs / 1000} s and is killed`, 'warn');
        last.kill('SIGKILL');
      }, patienceMs);
      await exited;
      clearTimeout(killTimer);
    },
  };
}
