import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { findBinaries, NoPostgresError, postgresIn } from './binaries.ts';
import { createCluster, startServer, stopServer, urlOf, type Cluster } from './cluster.ts';
import { runningServer } from './pid-file.ts';
import { chooseOsUser } from './os-user.ts';
import { isAlive } from './data-dir-lock.ts';
import { isFolderLocked } from './folder-lock.ts';

/** A server for one test run. Nothing in it is kept, so durability is off. */
export interface TemporaryDatabase {
  /** Connection URL of its database `postgres`. */
  url: string;
  /** Creates a database, as a copy of `template` if given (which must have no connections). */
  create(name: string, template?: string): Promise<string>;
  stop(): Promise<void>;
}

const prefix = 'trunkline-temporary-';

const withoutDurability = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'shared_buffers=128MB',
  'autovacuum_naptime=5min',
  'max_connections=400',
  'wal_level=minimal',
  'max_wal_senders=0',
];

/**
 * Starts a throwaway PostgreSQL for tests and tools, without fsync. Throws `NoPostgresError` when
 * none is installed or root can't start it.
 */
export async function startTemporaryDatabase(): Promise<TemporaryDatabase> {
  await sweepLeftovers(tmpdir(), prefix);
  const directory = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
  // mkdtemp creates mode 0700; as root the server runs as another user and must be able to enter.
  chmodSync(directory, 0o711);
  const home = join(directory, 'postgres');
  const binaries = findBinaries(directory)[0];
  if (!binaries)
    throw new NoPostgresError(
      'No PostgreSQL 15 or later was found: run npm ci again, or install the system’s (apt-get install postgresql)',
    );
  const identity = chooseOsUser(join(home, 'data'), postgresIn(binaries));
  if (identity === undefined)
    throw new NoPostgresError(
      `Root can’t start PostgreSQL from ${binaries.bin}: no other user can access it`,
    );
  const cluster: Cluster = {
    ...{ home, binaries, identity, password: randomBytes(16).toString('hex') },
    options: withoutDurability,
  };
  createCluster(cluster);
  const server = await startServer(cluster);

  // When the test run is torn down without stopping it, the server ends as well.
  const atExit = () => {
    try {
      process.kill(server.pid, 'SIGQUIT');
    } catch {}
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', atExit);

  const url = urlOf(server.port, cluster.password, 'postgres');
  return {
    url,
    async create(name, template) {
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        const copy = template ? ` template ${client.escapeIdentifier(template)}` : '';
        await client.query(`create database ${client.escapeIdentifier(name)}${copy}`);
      } finally {
        await client.end();
      }
      return urlOf(server.port, cluster.password, name);
    },
    async stop() {
      process.off('exit', atExit);
      await stopServer(cluster, server.pid);
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Stops servers of runs that were killed before they could clean up, and deletes what they left.
 * @param start of the folders' names, which the process and a dash follow
 */
export async function sweepLeftovers(folder: string, start: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || isAlive(Number(name.slice(start.length).split('-')[0])))
      continue;
    const directory = join(folder, name);
    const home = join(directory, 'postgres');
    try {
      const running = runningServer(home);
      // Its process can't be seen from here, as in another container.
      if (!running && [directory, home].some((one) => existsSync(one) && isFolderLocked(one)))
        continue;
      const binaries = findBinaries(directory)[0];
      if (running && binaries) await stopServer({ home, binaries }, running.pid);
      rmSync(directory, { recursive: true, force: true });
    } catch {
      // Another user's leftovers are theirs to sweep.
    }
  }
}
