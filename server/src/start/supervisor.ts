import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ListeningMessage, type Addresses, type BoundPorts } from './addresses.ts';
import { forwardOutput, logLine } from './supervisor-log.ts';
import type { ServerCode } from './server-build.ts';

const root = join(import.meta.dirname, '../../..');

/** A process that is kept running. */
export interface SupervisedProcess {
  /** Its role, or what it does of it. */
  name: string;
  /** Resolves when it is ready for the first time; rejects when it keeps exiting before that. */
  ready: Promise<void>;
  /**
   * The ports of the other processes. A process that is restarting gets them in its environment.
   */
  sendAddresses(addresses: Addresses): void;
  /** Shuts it down gracefully and starts it again, for changed sources. */
  restart(): void;
  /** SIGTERM, then SIGKILL if it has not ended after `patienceMs`. */
  stop(patienceMs: number): Promise<void>;
}

/** How long a process may take to shut down once it has drained, in ms. */
const stopMs = 8_000;

/** Stops all: media first, so that the others still store what becomes of its calls. */
export async function stopProcesses(
  processes: readonly SupervisedProcess[],
  { drainMs, callDrainMs }: { drainMs: number; callDrainMs: number },
): Promise<void> {
  const isMedia = ({ name }: SupervisedProcess) => name === 'media';
  const media = processes.filter(isMedia);
  const others = processes.filter((one) => !isMedia(one));
  await Promise.all(media.map((one) => one.stop(stopMs + callDrainMs)));
  await Promise.all(others.map((one) => one.stop(stopMs + drainMs)));
}

const firstBackoffMs = 200;
const maxBackoffMs = 5_000;
/**
 * A process that was ready for this long (ms) is restarted after the short delay: its exit had an
 * outside cause.
 */
const stableAfterMs = 2_000;
/** Exiting this often without ever having been ready is a mistake in the installation. */
const maxDeathsBeforeReady = 5;

/**
 * Starts `main` in one role, and restarts it whenever it exits.
 * @param name how the log calls it; its role, unless `env` has another
 * @param env read at each start
 * @param onBound called with the ports that it has bound
 */
export const superviseProcess = (
  name: string,
  env: () => Record<string, string>,
  code: () => ServerCode,
  onBound: (ports: BoundPorts) => void = () => {},
): SupervisedProcess => new Supervised(name, env, code, onBound);

class Supervised implements SupervisedProcess {
  readonly ready: Promise<void>;
  private child: ChildProcess | null = null;
  private backoffMs = firstBackoffMs;
  private wasReady = false;
  private deaths = 0;
  private stopping = false;
  private restarting = false;
  private timer: NodeJS.Timeout | undefined;
  private resolveReady = () => {};
  private rejectReady = (_reason: Error) => {};

  constructor(
    readonly name: string,
    private readonly env: () => Record<string, string>,
    private readonly code: () => ServerCode,
    private readonly onBound: (ports: BoundPorts) => void,
  ) {
    this.ready = new Promise<void>((resolve, reject) => {
      this.resolveReady = resolve;
      this.rejectReady = reject;
    });
    // A rejection that nothing awaits must not crash the supervisor.
    this.ready.catch(() => {});
    this.start();
  }

  sendAddresses(addresses: Addresses): void {
    if (this.child?.connected) this.child.send({ addresses });
  }

  restart(): void {
    if (!this.child || this.restarting) return;
    this.restarting = true;
    this.child.kill('SIGTERM');
  }

  async stop(patienceMs: number): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    const last = this.child;
    if (!last || last.exitCode !== null || last.signalCode !== null) return;
    const exited = new Promise<void>((resolve) => last.once('exit', () => resolve()));
    last.kill('SIGTERM');
    const killTimer = setTimeout(() => {
      logLine(`${this.name} did not shut down within ${patienceMs / 1000} s and is killed`, 'warn');
      last.kill('SIGKILL');
    }, patienceMs);
    await exited;
    clearTimeout(killTimer);
  }

  private start(): void {
    const child = this.spawn();
    this.child = child;
    let readyAt = Infinity;
    if (child.stdout) forwardOutput(this.name, child.stdout);
    if (child.stderr) forwardOutput(this.name, child.stderr);
    child.on('message', (message) => {
      const bound = ListeningMessage.safeParse(message);
      if (bound.success) return this.onBound(bound.data.listening);
      if (typeof message !== 'object' || message === null || !('ready' in message)) return;
      if (this.wasReady) logLine(`${this.name} is back (process ${child.pid})`);
      this.wasReady = true;
      readyAt = performance.now();
      this.resolveReady();
    });
    child.on('error', (error) =>
      logLine(`${this.name} couldn’t be started: ${error.message}`, 'error'),
    );
    child.once('close', (code, signal) => {
      const wasStable = performance.now() - readyAt > stableAfterMs;
      this.onClosed(`${this.name} (process ${child.pid}) exited with ${signal ?? `code ${code}`}`, {
        wasStable,
      });
    });
  }

  private spawn(): ChildProcess {
    const { nodeArgs: flags, file } = this.code();
    return spawn(
      process.execPath,
      [...flags, '--import', pathToFileURL(file('exitWithParent')).href, file('main')],
      {
        cwd: root,
        env: { ...process.env, ROLES: this.name, ...this.env() },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        // Ctrl-C then reaches only the supervisor, which ends the processes in order.
        detached: process.platform !== 'win32',
      },
    );
  }

  private onClosed(description: string, { wasStable }: { wasStable: boolean }): void {
    this.child = null;
    if (this.stopping) return;
    if (this.restarting) {
      this.restarting = false;
      this.start();
      return;
    }
    this.deaths += 1;
    if (!this.wasReady && this.deaths >= maxDeathsBeforeReady) {
      const times = `${this.name} exited ${this.deaths} times before it was ready`;
      this.rejectReady(new Error(`${times}; see its last output above`));
      return;
    }
    if (wasStable) this.backoffMs = firstBackoffMs;
    logLine(`${description}; restarting it in ${this.backoffMs / 1000} s`, 'warn');
    this.timer = setTimeout(() => this.start(), this.backoffMs);
    this.backoffMs = Math.min(this.backoffMs * 2, maxBackoffMs);
  }
}
