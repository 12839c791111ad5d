import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findBinaries, postgresIn } from '../../src/platform/postgres/binaries.ts';
import {
  createCluster,
  createHome,
  startServer,
  stopServer,
  urlOf,
  type Cluster,
} from '../../src/platform/postgres/cluster.ts';
import { chooseOsUser } from '../../src/platform/postgres/os-user.ts';
import { dataDirOf } from '../../src/platform/postgres/pid-file.ts';

const database = 'trunkline';
const options = ['fsync=off', 'wal_level=replica', 'max_wal_senders=4', 'hot_standby=on'];

/** A PostgreSQL with an empty database, and a replica that it streams to. */
export async function startDatabaseWithReplica() {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-test-replica-'));
  // As root, the servers run as another user.
  chmodSync(folder, 0o711);
  const binaries = findBinaries(folder)[0]!;
  const home = join(folder, 'primary');
  const identity = chooseOsUser(dataDirOf(home), postgresIn(binaries));
  if (identity === undefined) throw new Error('Root can’t start PostgreSQL here');
  const primary: Cluster = {
    ...{ home, binaries, identity, options },
    password: randomBytes(8).toString('hex'),
  };
  createCluster(primary);
  const server = await startServer(primary);
  const client = new pg.Client(urlOf(server.port, primary.password, 'postgres'));
  await client.connect();
  await client.query(`create database ${database}`);

  const standby: Cluster = {
    ...primary,
    home: join(folder, 'replica'),
    options: [
      ...options,
      `primary_conninfo=host=127.0.0.1 port=${server.port} user=trunkline password=${primary.password}`,
    ],
  };
  createHome(standby.home, identity);
  await client.query(`select pg_backup_start('replica', true)`);
  // With owners and rights.
  execFileSync('cp', ['-a', dataDirOf(primary.home), standby.home]);
  const { rows } = await client.query<{ labelfile: string }>('select * from pg_backup_stop()');
  await client.end();
  rmSync(join(dataDirOf(standby.home), 'postmaster.pid'));
  for (const [name, text] of [
    ['backup_label', rows[0]!.labelfile],
    ['standby.signal', ''],
  ] as const) {
    const file = join(dataDirOf(standby.home), name);
    writeFileSync(file, text);
    if (identity?.kind === 'user') chownSync(file, identity.uid, identity.gid);
  }
  let replica = await startServer(standby);

  return {
    url: urlOf(server.port, primary.password, database),
    replicaUrl: urlOf(replica.port, primary.password, database),
    /** A statement on the replica, as its administrator. */
    onReplica: async (statement: string) => {
      const admin = new pg.Client(urlOf(replica.port, primary.password, database));
      await admin.connect();
      return admin.query(statement).finally(() => admin.end());
    },
    stopReplica: () => stopServer(standby, replica.pid),
    startReplica: async () => {
      replica = await startServer(standby, replica.port);
    },
    stop: async () => {
      await stopServer(standby, replica.pid).catch(() => {});
      await stopServer(primary, server.pid);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
