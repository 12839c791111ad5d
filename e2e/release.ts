import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findUnprivilegedUser } from '../server/src/platform/postgres/os-user.ts';

const root = join(import.meta.dirname, '..');
export type Env = Record<string, string>;
type OsUser = { uid: number; gid: number };

/** A release that was started and is ready. */
export interface Started {
  url: string;
  /** How long that took. */
  seconds: number;
  output(): string;
  stop(): Promise<void>;
  /** Ends all of its processes at once. */
  kill(): void;
}

/** A release as an operator has it. */
export interface Release {
  /** How long it took to lay it out. */
  seconds: number;
  /** A folder that its user may write to. */
  folder(name: string): string;
  /** `npm run NAME -- ARGS` there. Returns what it said, and throws it when it fails. */
  command(env: Env, name: string, ...args: string[]): string;
  start(env: Env): Promise<Started>;
  /** Gives its user what somebody else has written into one of the folders. */
  own(folder: string): void;
}

/** Lays out a release, and runs it as a user who can't write to its files. All of it is deleted afterwards. */
export async function withRelease<T>(work: (release: Release) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-operator-'));
  chmodSync(folder, 0o755);
  const app = join(folder, 'app');
  const running: Started[] = [];
  const user = process.getuid?.() === 0 ? findUnprivilegedUser() : null;
  const production = {
    ...{ HOME: folder, NODE_ENV: 'production', CARRIER: 'sandbox', MEDIA_PORT: '0' },
  };
  /** As the operator types it, in the folder of the release. */
  const command = (cwd: string, env: Env, name: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', name, '--', ...args], {
      ...(cwd === app && user),
      cwd,
      // A release is made where one develops; the rest is a server's, which knows nothing else.
      env: cwd === root ? process.env : { PATH: process.env.PATH ?? '', ...production, ...env },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`npm run ${name} ended with ${status}:\n${stdout}${stderr}`);
    process.stdout.write(stdout);
    return stdout;
  };
  try {
    const seconds = timed(() => command(root, {}, 'release', app));
    if (spawnSync('chmod', ['-R', 'a-w,a+rX', app]).status !== 0) throw new Error('chmod failed');
    return await work({
      seconds,
      folder: (name) => {
        const path = join(folder, name);
        mkdirSync(path);
        if (user) chownSync(path, user.uid, user.gid);
        return path;
      },
      command: (...given) => command(app, ...given),
      start: async (env) => {
        const one = await start(app, { ...production, ...env }, user);
        running.push(one);
        return one;
      },
      own: (path) => {
        if (user) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, path]);
      },
    });
  } finally {
    for (const one of running) one.kill();
    spawnSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }
}

/** How long a piece of work takes, in seconds. */
export function timed(work: () => void): number {
  const began = performance.now();
  work();
  return (performance.now() - began) / 1000;
}

/** The supervisor and all below it, at once. */
function killTree({ pid }: ChildProcess): void {
  if (!pid) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
  spawnSync('pkill', ['-KILL', '-f', 'trunkline-operator-']);
}

/** Starts a release and waits until it is ready. */
async function start(app: string, env: Env, user: OsUser | null): Promise<Started> {
  const began = performance.now();
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/src/start.ts'], {
    cwd: app,
    detached: true,
    env: { PATH: process.env.PATH ?? '', ...env, PORT: String(port), PUBLIC_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  const { output, ended } = await waitUntilReady(child);
  return {
    url,
    seconds: (performance.now() - began) / 1000,
    output,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
    kill: () => killTree(child),
  };
}

/** Waits for what a started release says when it can be used. */
export async function waitUntilReady(
  child: ChildProcess,
): Promise<{ output: () => string; ended: Promise<unknown> }> {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  for (let waited = 0; !output.includes('Ready at'); waited += 50) {
    if (child.exitCode !== null || child.signalCode || waited > 180_000)
      throw new Error(`The release did not start:\n${output}`);
    await pause(50);
  }
  return { output: () => output, ended };
}

/** Asks a running release, and throws what it refuses with. */
export async function ask<T>(url: string, path: string, body?: object, token?: string): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Of everybody here. */
export const password = 'a long enough sentence';

/** Signs a person in, and returns their token. */
export const signIn = async (url: string, email: string, secret = password): Promise<string> =>
  (
    await ask<{ token: { access_token: string } }>(url, '/api/sanctum/login', {
      email,
      password: secret,
    })
  ).token.access_token;
