import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { initdbIn, pgCtlIn, postgresIn, type Binaries } from './binaries.ts';
import { runAs, type OsUser } from './os-user.ts';
import { isAlive } from './data-dir-lock.ts';
import { lockForServer } from './folder-lock.ts';
import { dataDirOf, removeStalePidFile, type Server } from './pid-file.ts';

/** A data directory and what is needed to run a server in it. */
export interface Cluster {
  /** Our directory with `data` and the log; owned by the user that runs the server. */
  home: string;
  binaries: Binaries;
  identity: OsUser;
  password: string;
  /** Server options, as `name=value`. */
  options: string[];
}

const superuser = 'trunkline';
/** The server's log file. */
const logFileOf = (home: string) => join(home, 'log');
/** The address of a database on our own server; it listens on loopback only. */
export const urlOf = (port: number, password: string, database: string) =>
  `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;

/** Major version of an existing data directory; null when there is none. */
export function versionOfData(home: string): number | null {
  const file = join(dataDirOf(home), 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').trim()) : null;
}

/** Creates the data directory. A start that crashes halfway leaves nothing that looks finished. */
export function createCluster({ home, binaries, identity, password }: Cluster): void {
  createHome(home, identity);
  const unfinished = join(home, 'data.unfinished');
  const passwordFile = join(home, 'password.once');
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity?.kind === 'user') chownSync(passwordFile, identity.uid, identity.gid);
  const locale =
    binaries.major >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : ['--locale=C'];
  const { file, args, options } = runAs(identity, initdbIn(binaries), [
    ...[
      '-D',
      unfinished,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
    ],
    ...[...locale, '--encoding=UTF8', '--no-sync', '--no-instructions'],
  ]);
  const made = spawnSync(file, args, {
    ...options,
    cwd: home,
    encoding: 'utf8',
    env: environment(binaries),
  });
  rmSync(passwordFile, { force: true });
  if (made.status !== 0)
    throw new Error(
      `PostgreSQL couldn’t create ${dataDirOf(home)}: ${made.stderr?.trim() || made.error?.message}`,
    );
  renameSync(unfinished, dataDirOf(home));
}

/** Creates the home and gives it to the server's user; parent directories keep their owner. */
export function createHome(home: string, identity: OsUser): void {
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o700);
  if (identity?.kind === 'user') chownSync(home, identity.uid, identity.gid);
}

/**
 * Starts the server and waits until it accepts connections. It is the only one on its data: it
 * inherits a lock that lasts as long as its processes.
 * @param wanted port; 0, or a port that was taken meanwhile, means any free one
 * @throws Error with the last lines of the server's log when it does not start
 */
export async function startServer(
  cluster: Cluster,
  wanted = 0,
): Promise<Server & { child: ChildProcess }> {
  const lock = await lockForServer(cluster.home);
  try {
    await removeStalePidFile(cluster.home);
    return await startLocked(cluster, wanted, lock);
  } finally {
    if (lock !== null) closeSync(lock);
  }
}

async function startLocked(cluster: Cluster, wanted: number, lock: number | null) {
  const { home, binaries, identity } = cluster;
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted && attempt === 1 ? wanted : await freePort();
    const log = openSync(logFileOf(home), 'a', 0o600);
    const start = runAs(identity, postgresIn(binaries), [
      ...['-D', dataDirOf(home), '-p', String(port)],
      ...[...defaultOptions, ...cluster.options].flatMap((option) => ['-c', option]),
    ]);
    const logFrom = statSync(logFileOf(home)).size;
    // Detached: Ctrl-C signals the whole process group, and PostgreSQL must outlive the processes
    // that still write to it.
    const child = spawn(start.file, start.args, {
      ...start.options,
      cwd: home,
      detached: true,
      stdio: ['ignore', log, log, ...(lock === null ? [] : [lock])],
      env: environment(binaries),
    });
    closeSync(log);
    let failure: Error | null = null;
    child.on('error', (error) => (failure = error));
    child.unref();
    const exited = () => failure !== null || child.exitCode !== null || child.signalCode !== null;
    if (await isAccepting(port, cluster.password, exited))
      return { pid: child.pid as number, port, child };
    // Another server with another password answered at this port; ours, which could not bind it, is
    // about to exit with an error.
    for (let waited = 0; !exited() && waited < 5_000; waited += 20) await pause(20);
    const output = failure
      ? String(failure)
      : readFileSync(logFileOf(home)).subarray(logFrom).toString();
    const isRetryable =
      /could not bind|Address already in use|shared memory block .* is still in use/.test(output);
    if (!isRetryable || attempt === 5)
      throw new Error(`PostgreSQL did not start in ${dataDirOf(home)}: ${lastLines(output)}`);
    await pause(200 * attempt);
  }
}

/** Waits until a server accepts our password; false as soon as `gone` says it never will. */
export async function isAccepting(
  port: number,
  password: string,
  gone: () => boolean,
): Promise<boolean> {
  // Recovery after a hard stop may take long and ends eventually; only a dead server ends the wait
  // early.
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline) {
    if (gone()) return false;
    const client = new Client({
      connectionString: urlOf(port, password, 'postgres'),
      connectionTimeoutMillis: 2_000,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return !gone();
    } catch (error) {
      await client.end().catch(() => {});
      if ((error as { code?: string }).code === '28P01') return false;
      await pause(20);
    }
  }
  return false;
}

/** Fast shutdown: open transactions are rolled back, everything acknowledged is on disk. */
export async function stopServer(
  cluster: Pick<Cluster, 'home' | 'binaries'>,
  pid: number,
): Promise<void> {
  const gone = async (ms: number) => {
    const deadline = performance.now() + ms;
    while (isAlive(pid)) {
      if (performance.now() > deadline) return false;
      await pause(10);
    }
    return true;
  };
  for (const [signal, mode, patienceMs] of [
    ['SIGINT', 'fast', 20_000],
    ['SIGQUIT', 'immediate', 5_000],
    ['SIGKILL', 'immediate', 2_000],
  ] as const) {
    if (process.platform === 'win32')
      spawnSync(pgCtlIn(cluster.binaries), [
        'stop',
        '-D',
        dataDirOf(cluster.home),
        '-m',
        mode,
        '-W',
      ]);
    else if (isAlive(pid)) process.kill(pid, signal);
    if (await gone(patienceMs)) return;
  }
}

const defaultOptions = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  'log_timezone=UTC',
  'max_connections=200',
  'jit=off',
  'random_page_cost=1.1',
];

const environment = (binaries: Binaries) => ({
  PATH: process.env.PATH ?? '',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...binaries.env,
});

const lastLines = (log: string) => log.trim().split('\n').slice(-3).join(' · ') || 'no output';

/** A TCP port that is free now on loopback. Fails when there is none. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no free port')),
      );
    });
  });
}

/** The directory of our own cluster within DATA_DIR: its data, log and password. */
export const homeOf = (dataDir: string) => join(dataDir, 'postgres');
