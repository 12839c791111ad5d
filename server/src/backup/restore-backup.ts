import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { z } from 'zod';
import type { BackupPlace } from '../gateways/backup-place.ts';
import { migrationNames } from '../platform/migrate.ts';
import { createHome } from '../platform/postgres/cluster.ts';
import { whileOwned } from '../platform/postgres/data-dir-lock.ts';
import { locateCluster } from '../platform/postgres/index.ts';
import { dataDirOf } from '../platform/postgres/pid-file.ts';
import { createRoles } from '../platform/roles.ts';
import { loadDump } from './dump.ts';
import { entriesIn, unpackInto } from './file-archive.ts';
import type { Manifest, secretsSchema } from './manifest.ts';
import {
  gunzipped,
  openPart,
  readManifest,
  readSecrets,
  RestoreRefusedError,
  type OpenPart,
} from './read-backup.ts';

/** Where a backup is restored to. */
export interface Target {
  dataDir: string;
  /** An empty database of the operator's own; null: a server in `dataDir`. */
  databaseUrl: string | null;
}

/**
 * Restores a backup into an empty place. Each part is read to its end and compared with its sum
 * before anything is moved to where the product looks for it. Meanwhile nothing can be started there.
 * @throws RestoreRefused or AlreadyOwned before anything is written; WrongPassphrase, or what is
 * wrong with a part, after what was written has been deleted
 */
export async function restoreBackup(
  place: BackupPlace,
  backup: string,
  passphrase: string,
  target: Target,
): Promise<Manifest> {
  const manifest = await readManifest(place, backup);
  await refuseUnusable(manifest, target);
  return whileOwned(target.dataDir, async () => {
    // Another restore may have ended since.
    await refuseUnusable(manifest, target);
    const draft = join(target.dataDir, 'restore.unfinished');
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    try {
      // Secrets first: a wrong passphrase is noticed before a large part is read.
      const secrets = await readSecrets(place, backup, manifest, passphrase);
      await mkdir(join(draft, 'files'));
      if (manifest.files) {
        const files = await openPart(place, backup, manifest, 'files', secrets);
        await unpackInto(join(draft, 'files'), gunzipped(files.content));
        files.verify();
      }
      const database = await openPart(place, backup, manifest, 'database', secrets);
      if (target.databaseUrl) {
        await withClient(target.databaseUrl, createRoles);
        await loadDump(database.content, target.databaseUrl, manifest.database.postgres);
        database.verify();
      } else await restoreServer(database, target.dataDir, manifest.database.postgres);
      await rm(join(target.dataDir, 'files'), { recursive: true, force: true });
      await rename(join(draft, 'files'), join(target.dataDir, 'files'));
      await writeSecrets(target.dataDir, secrets);
      return manifest;
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  });
}

/** Unpacks the files of a server where `openDatabase` looks for them. */
async function restoreServer(part: OpenPart, dataDir: string, major: number): Promise<void> {
  const { home, identity } = clusterFor(dataDir, major);
  createHome(home, identity);
  // Beside its place, which may be on another disk than `dataDir`.
  const draft = join(home, 'data.unfinished');
  try {
    await rm(draft, { recursive: true, force: true });
    await unpackInto(draft, gunzipped(part.content));
    part.verify();
    if (identity?.kind === 'user') await giveTo(draft, identity);
    await rename(draft, dataDirOf(home));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Everything that can be known before a part is read. */
async function refuseUnusable(manifest: Manifest, { dataDir, databaseUrl }: Target): Promise<void> {
  const refuse = (why: string): never => {
    throw new RestoreRefusedError(why);
  };
  const known = await migrationNames();
  const unknown = manifest.migrations.find((name) => !known.includes(name));
  if (unknown)
    refuse(
      `This backup was made by a newer Trunkline (${manifest.version}, with ${unknown}). Restore it with that version or a later one`,
    );
  const { kind, postgres, platform } = manifest.database;
  if (kind === 'dump' && !databaseUrl)
    refuse(
      'This backup is of a PostgreSQL of its operator’s own. Create an empty database and set DATABASE_URL',
    );
  if (kind === 'files' && databaseUrl)
    refuse(
      'This backup is of a PostgreSQL that Trunkline started. Leave out DATABASE_URL to restore it into DATA_DIR',
    );
  const here = `${process.platform}-${process.arch}`;
  if (kind === 'files' && platform !== here)
    refuse(`This backup was made on ${platform}, and its database doesn’t run on ${here}`);
  const filled = !databaseUrl && existsSync(dataDirOf(clusterFor(dataDir, postgres).home));
  if (filled || (await isFilled(join(dataDir, 'files'))))
    refuse(
      `${dataDir} already holds an installation. Restore into another directory: DATA_DIR=/path/of/yours npm run restore -- …`,
    );
  if (databaseUrl && (await hasTables(databaseUrl)))
    refuse('The database at DATABASE_URL already has tables. Create an empty one and name that');
}

const isFilled = async (folder: string) => (await readdir(folder).catch(() => [])).length > 0;

/** Where the server of `dataDir` goes and who runs it. */
function clusterFor(dataDir: string, major: number) {
  return locateCluster(dataDir, (found) => {
    const usable = found.find((one) => one.major === major);
    if (!usable)
      throw new RestoreRefusedError(
        `This backup needs PostgreSQL ${major}, and ${found.length ? `only ${found.map((one) => one.major).join(', ')} is` : 'none is'} installed here`,
      );
    return usable;
  });
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const hasTables = (url: string) =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query(
      `select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        limit 1`,
    );
    return rowCount !== 0;
  });

async function writeSecrets(
  dataDir: string,
  { appSecret, mediaSecret, postgresPassword }: z.output<typeof secretsSchema>,
): Promise<void> {
  await writeSecret(dataDir, 'app-secret', appSecret);
  await writeSecret(dataDir, 'media-secret', mediaSecret);
  if (postgresPassword) await writeSecret(dataDir, 'postgres-password', postgresPassword);
}

/** An earlier secret of that name is kept beside it. */
async function writeSecret(dataDir: string, name: string, value: string): Promise<void> {
  const path = join(dataDir, 'secrets', name);
  await mkdir(join(dataDir, 'secrets'), { recursive: true, mode: 0o700 });
  const there = await readFile(path, 'utf8').catch(() => null);
  if (there?.trim() === value) return;
  if (there !== null) await rename(path, `${path}.before-restore`);
  await writeFile(path, value, { mode: 0o600 });
}

/** Makes a user the owner of a folder and of all that is in it. */
async function giveTo(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  await chown(folder, uid, gid);
  for await (const { path } of entriesIn(folder)) await chown(path, uid, gid);
}
