import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killProcess } from '../product.ts';

const main = join(import.meta.dirname, '../../server/src/main.ts');

/** `TRACKING_LOG=1` shows what they write. */
const output = process.env['TRACKING_LOG'] ? 'inherit' : 'ignore';

interface WebProcess {
  child: ChildProcess;
  /** Its origin; null until it listens and after it was killed. */
  url: string | null;
}

/** Several web processes on one database, of which any can be killed; each is started again. */
export class WebProcesses {
  kills = 0;
  private readonly running: WebProcess[] = [];
  private isStopping = false;

  constructor(private readonly env: Record<string, string>) {}

  /** Starts so many and waits until each listens. */
  async start(count: number): Promise<void> {
    for (let i = 0; i < count; i++) this.launch(i);
    while (this.urls().length < count) await pause(50);
  }

  /** Origins of those that listen. */
  urls = (): string[] => this.running.flatMap(({ url }) => url ?? []);

  /** Kills one with SIGKILL, whatever it is doing. */
  kill(index: number): void {
    const one = this.running[index % this.running.length];
    if (!one?.url || one.child.pid === undefined) return;
    one.url = null;
    this.kills++;
    killProcess(one.child.pid);
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all(
      this.running.map(async ({ child }) => {
        const ended = new Promise((resolve) => child.once('close', resolve));
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill('SIGTERM');
        await ended;
      }),
    );
  }

  private launch(index: number): void {
    const child = spawn(process.execPath, ['--import', 'tsx', main], {
      env: { ...process.env, ...this.env, ROLES: 'web', PORT: '0', HOST: '127.0.0.1' },
      stdio: ['ignore', output, output, 'ipc'],
    });
    const one: WebProcess = { child, url: null };
    this.running[index] = one;
    let port = 0;
    child.on('message', (told: { listening?: { port?: number }; ready?: string }) => {
      port = told.listening?.port ?? port;
      if (told.ready === 'web') one.url = `http://127.0.0.1:${port}`;
    });
    child.once('close', () => {
      one.url = null;
      if (!this.isStopping) this.launch(index);
    });
  }
}
