import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform, pipeline as connect } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import type { z } from 'zod';
import type { BackupPlace } from '../gateways/backup-place.ts';
import { mustBe } from '../platform/must-be.ts';
import type { Settings } from '../platform/settings.ts';
import { baseBackup } from './base-backup.ts';
import { dump } from './dump.ts';
import { encrypt, makeKey, type Lock } from './encryption.ts';
import { packFolder } from './file-archive.ts';
import type { Manifest, PartName, secretsSchema } from './manifest.ts';
import { comparedBefore, countDeletedFiles, countRows, countTotals } from './row-counts.ts';

/** What is backed up. */
interface Installation {
  settings: Settings;
  database: { url: string; embedded: boolean };
  /** Of Trunkline. */
  version: string;
}

/** Another backup of this database is being made. */
export class BackupRunningError extends Error {
  override name = 'BackupRunning';
  constructor() {
    super('Another backup is being made. Try again when it is done');
  }
}

/** Taken for the length of a backup, so that there is one at a time. */
const advisoryLock = 7210;
/** Encryption is quicker with large pieces. */
const GZIP_PIECE_BYTES = 2 ** 18;

/** Names sort by time: trunkline-2026-11-27T02-30-00Z. */
const nameOf = (at: Date) => `trunkline-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;

/**
 * Backs up the database, the files and the secrets of an installation that may be working
 * meanwhile. The database comes first: a file that is stored later is merely one too many.
 * @returns the backup's name and what is in it
 * @throws BackupRunning, NoDumpTools; then nothing is left in the place
 */
export async function makeBackup(
  { settings, database, version }: Installation,
  place: BackupPlace,
  passphrase: string,
): Promise<{ name: string; manifest: Manifest }> {
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  await client.connect();
  try {
    await lockBackups(client);
    return await writeBackup({ settings, database, version }, client, place, passphrase);
  } finally {
    await client.end();
  }
}

async function writeBackup(
  { settings, database, version }: Installation,
  client: pg.Client,
  place: BackupPlace,
  passphrase: string,
): Promise<{ name: string; manifest: Manifest }> {
  const startedAt = new Date();
  const name = nameOf(startedAt);
  try {
    const postgres = await majorVersion(client);
    const before = await countRows(client, comparedBefore(startedAt));
    const parts: Manifest['parts'] = [];
    const key = await makeKey();
    const store = async (part: PartName, content: Readable, lock: Lock = { key }) =>
      void parts.push({ name: part, ...(await storePart(place, name, part, content, lock)) });

    await store(
      'database',
      database.embedded ? compressed(baseBackup(database.url)) : dump(database.url, postgres),
    );
    const after = await countRows(client, comparedBefore(startedAt));
    const totals = await countTotals(client);
    const files = settings.sharesFiles ? null : { count: 0, bytes: 0, deleted: 0 };
    if (files) {
      await store('files', packed(packFolder(join(settings.dataDir, 'files'), files)));
      files.deleted = await countDeletedFiles(client, startedAt);
    }
    const secrets = JSON.stringify(await secretsOf(settings, database.embedded, key));
    await store('secrets', Readable.from([Buffer.from(secrets)]), { passphrase });

    const manifest: Manifest = {
      format: 1,
      version,
      startedAt: startedAt.toISOString(),
      finishedAt: new Date().toISOString(),
      database: {
        kind: database.embedded ? 'files' : 'dump',
        postgres,
        platform: `${process.platform}-${process.arch}`,
      },
      migrations: await appliedMigrations(client),
      totals,
      rows: boundsOf(before, after),
      files,
      parts,
    };
    await place.write(
      `${name}/manifest.json`,
      Readable.from([`${JSON.stringify(manifest, null, 2)}\n`]),
    );
    return { name, manifest };
  } catch (error) {
    await place.remove(name).catch(() => {});
    throw error;
  }
}

type Counts = Readonly<Record<string, number>>;
const boundsOf = (before: Counts, after: Counts): Manifest['rows'] =>
  Object.fromEntries(
    Object.entries(before).map(([table, n]) => {
      const later = after[table] ?? 0;
      return [table, [Math.min(n, later), Math.max(n, later)]];
    }),
  );

/** Held until the connection ends. */
async function lockBackups(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock($1) as locked',
    [advisoryLock],
  );
  if (!rows[0]?.locked) throw new BackupRunningError();
}

async function majorVersion(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ major: number }>(
    `select current_setting('server_version_num')::int / 10000 as major`,
  );
  return mustBe(rows[0], 'the version of the server').major;
}

const appliedMigrations = async (client: pg.Client): Promise<string[]> =>
  (await client.query<{ name: string }>('select name from migration order by name')).rows.map(
    (row) => row.name,
  );

/** Fast rather than small. */
const compressed = (content: Readable) => gzipped(content, 3);
/** In the same form, as it is: recordings and pictures are compressed already. */
const packed = (content: Readable) => gzipped(content, 0);
function gzipped(content: Readable, level: number): Readable {
  const gzip = createGzip({ level, chunkSize: GZIP_PIECE_BYTES });
  // A failure of the source is one of the result, which its reader sees.
  connect(content, gzip, () => {});
  return gzip;
}

async function storePart(
  place: BackupPlace,
  backup: string,
  part: PartName,
  content: Readable,
  lock: Lock,
): Promise<{ bytes: number; sha256: string }> {
  let bytes = 0;
  const hash = createHash('sha256');
  const measured = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await Promise.all([
    pipeline(await encrypt(content, lock), measured),
    place.write(`${backup}/${part}.age`, measured),
  ]);
  return { bytes, sha256: hash.digest('hex') };
}

async function secretsOf(
  settings: Settings,
  embedded: boolean,
  key: string,
): Promise<z.input<typeof secretsSchema>> {
  const passwordFile = join(settings.dataDir, 'secrets/postgres-password');
  const [appSecret, ...previous] = settings.appSecrets;
  return {
    key,
    appSecret: appSecret.toString('hex'),
    previous: previous.map((secret) => secret.toString('hex')),
    mediaSecret: settings.mediaSecret,
    postgresPassword: embedded ? (await readFile(passwordFile, 'utf8')).trim() : null,
  };
}

/** Deletes all but the newest finished backups, and what an interrupted one left before those. */
export async function removeOldBackups(place: BackupPlace, keep: number): Promise<string[]> {
  const names = (await place.list()).filter((name) => /^trunkline-[\dTZ-]+$/.test(name)).sort();
  const finished: string[] = [];
  for (const name of names) if (await isFinished(place, name)) finished.push(name);
  const kept = finished.slice(-keep);
  const old = names.filter((name) => kept[0] !== undefined && name < kept[0]);
  for (const name of old) await place.remove(name);
  return old;
}

const isFinished = async (place: BackupPlace, name: string): Promise<boolean> => {
  const manifest = await place.read(`${name}/manifest.json`).catch(() => null);
  manifest?.destroy();
  return manifest !== null;
};
