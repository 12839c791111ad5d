import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findUnprivilegedUser } from '../server/src/platform/postgres/os-user.ts';
import { freePort } from '../server/test/support/free-port.ts';

const programs = '/usr/lib/postgresql/15/bin';
const redis = '/usr/bin/redis-server';

/** PostgreSQL and Redis as Debian has them, apart from the product. */
interface Services {
  port: number;
  redisPort: number;
  createDatabase(name: string): void;
  dropDatabase(name: string): void;
  /** Leaves nothing behind. */
  stop(): void;
}

/** Null: they aren't installed. `options`: of PostgreSQL, such as `max_connections=300`. */
export async function startServices(...options: string[]): Promise<Services | null> {
  const user = findUnprivilegedUser();
  if (!user || !existsSync(join(programs, 'initdb')) || !existsSync(redis)) return null;
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-services-'));
  const as = { uid: user.uid, gid: user.gid, cwd: '/' };
  const apart = { ...as, stdio: 'ignore' as const };
  spawnSync('chown', [`${user.uid}:${user.gid}`, folder]);
  const data = join(folder, 'postgres');
  const superuser = ['-U', 'trunkline', '--auth=trust', '-E', 'UTF8'];
  const made = spawnSync(join(programs, 'initdb'), ['-D', data, ...superuser], as);
  if (made.status !== 0) throw new Error(String(made.stderr));
  const [port, redisPort] = [await freePort(), await freePort()];
  const at = ['-h', '127.0.0.1', '-p', String(port), '-U', 'trunkline'];
  const running = [
    spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-k', folder, ...options.flatMap((one) => ['-c', one])],
      apart,
    ),
    spawn(redis, ['--port', String(redisPort), '--save', '', '--dir', folder], apart),
  ];
  while (spawnSync(join(programs, 'pg_isready'), at).status !== 0) await pause(100);
  return {
    port,
    redisPort,
    createDatabase: (name) => {
      const created = spawnSync(join(programs, 'createdb'), [...at, name]);
      if (created.status !== 0) throw new Error(String(created.stderr));
    },
    dropDatabase: (name) =>
      void spawnSync(join(programs, 'dropdb'), [...at, '--force', '--if-exists', name]),
    stop: () => {
      for (const one of running) one.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
    },
  };
}
