import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findUnprivilegedUser } from '../server/src/platform/postgres/os-user.ts';
import { freePort } from '../server/test/support/free-port.ts';

/** PostgreSQL 15 and Redis as Debian has them, which an operator runs beside the product. */
const programs = '/usr/lib/postgresql/15/bin';
const redis = '/usr/bin/redis-server';
/** Null: root has no other user. Undefined: as who runs this. */
const user = process.getuid?.() === 0 ? findUnprivilegedUser() : undefined;

/** Whether Debian's PostgreSQL 15 is installed, which an operator runs beside the product. */
export const hasDebianPostgres = (): boolean =>
  user !== null && existsSync(join(programs, 'initdb'));

/** Runs a program of that server, or another, as its user. Throws what it says when it fails. */
export function asPostgres(program: string, ...args: string[]): string {
  const path = join(programs, program);
  const { status, stdout, stderr } = spawnSync(existsSync(path) ? path : program, args, {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stdout}${stderr}`);
  return stdout.trim();
}

/** Makes a folder that the server's user can write to. */
export function folderOfPostgres(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (user) chownSync(path, user.uid, user.gid);
  return path;
}

/** Makes the files of a new server. */
export const initDebianPostgres = (data: string): string =>
  asPostgres('initdb', '-D', data, '-U', 'trunkline', '--auth=trust', '-E', 'UTF8');

/** A server of Debian's that runs. */
export interface DebianPostgres {
  port: number;
  url(database: string): string;
  /** Runs one of its client programs on it. Throws what it says when it fails. */
  client(program: string, ...args: string[]): string;
  /** The first field of the first row. */
  ask(question: string, database?: string): string;
  /** Ends it at once, as a machine that is lost. */
  kill(): Promise<void>;
}

/** Starts a server on its files, with settings of the operator's, as `name=value`. */
export async function startDebianPostgres(
  data: string,
  settings: string[] = [],
): Promise<DebianPostgres> {
  const port = await freePort();
  const at = ['-h', '127.0.0.1', '-p', String(port), '-U', 'trunkline'];
  const options = [...settings, `port=${port}`, 'unix_socket_directories='];
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...options.flatMap((one) => ['-c', one])],
    { ...user, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (spawnSync(join(programs, 'pg_isready'), at).status !== 0) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log}`);
    await pause(100);
  }
  const client = (program: string, ...args: string[]): string =>
    asPostgres(program, ...at, ...args);
  return {
    port,
    url: (database) => `postgres://trunkline:trusted@127.0.0.1:${port}/${database}`,
    client,
    ask: (question, database = 'postgres') => client('psql', '-AXqtc', question, database),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** A server with settings, and a Redis, on files of their own. */
interface Services {
  port: number;
  redisPort: number;
  createDatabase(name: string): void;
  dropDatabase(name: string): void;
  /** Leaves nothing behind. */
  stop(): Promise<void>;
}

/** Null: they aren't installed. `settings`: of PostgreSQL, such as `max_connections=300`. */
export async function startServices(...settings: string[]): Promise<Services | null> {
  if (!hasDebianPostgres() || !existsSync(redis)) return null;
  const folder = folderOfPostgres(mkdtempSync(join(tmpdir(), 'trunkline-services-')));
  const data = join(folder, 'postgres');
  initDebianPostgres(data);
  const redisPort = await freePort();
  const store = spawn(redis, ['--port', String(redisPort), '--save', '', '--dir', folder], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  });
  const server = await startDebianPostgres(data, settings);
  return {
    port: server.port,
    redisPort,
    createDatabase: (name) => void server.client('createdb', name),
    dropDatabase: (name) => void server.client('dropdb', '--force', '--if-exists', name),
    stop: async () => {
      store.kill('SIGKILL');
      await server.kill();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    },
  };
}
