import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import type { BackupPlace } from '../gateways/backup-place.ts';
import { openDatabase, temporaryDatabase } from '../platform/postgres/index.ts';
import { sweepLeftovers } from '../platform/postgres/temporary.ts';
import type { Manifest } from './manifest.ts';
import { readManifest } from './read-backup.ts';
import { restoreBackup, type Target } from './restore-backup.ts';
import { comparedBefore, countRows, storedFiles } from './row-counts.ts';

/** A copy isn't what was backed up. */
export class BadCopyError extends Error {
  override name = 'BadCopy';
}

/** Of the folder of a check. */
const prefix = 'backup-check-';

/**
 * Restores a backup into a folder of its own, starts a database on it, compares rows and files with
 * what was backed up, and deletes the copy.
 * @param scratch folder with room for the copy
 * @throws BadCopy naming what differs, and whatever keeps it from being restored
 */
export async function checkBackup(
  place: BackupPlace,
  backup: string,
  passphrase: string,
  scratch: string,
): Promise<Manifest> {
  const { database } = await readManifest(place, backup);
  await sweepLeftovers(scratch, prefix);
  const dataDir = await mkdtemp(join(scratch, `${prefix}${process.pid}-`));
  // As root, the server runs as another user, who must be able to enter.
  await chmod(dataDir, 0o711);
  const server = database.kind === 'dump' ? await temporaryDatabase() : null;
  try {
    const target: Target = { dataDir, databaseUrl: server && (await server.create('copy')) };
    const manifest = await restoreBackup(place, backup, passphrase, target);
    await compareCopy(manifest, target);
    return manifest;
  } finally {
    await server?.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Compares a restored copy with what its backup says was there.
 * @throws BadCopy
 */
export async function compareCopy(manifest: Manifest, target: Target): Promise<void> {
  const database = await openDatabase({ dataDir: target.dataDir, url: target.databaseUrl });
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {});
  try {
    await client.connect();
    const problems = [
      ...rowProblems(
        manifest,
        await countRows(client, comparedBefore(new Date(manifest.startedAt))),
      ),
      ...(manifest.files
        ? await fileProblems(client, join(target.dataDir, 'files'), manifest.files.deleted)
        : []),
    ];
    if (problems.length) throw new BadCopyError(`The copy differs: ${problems.join(', ')}`);
  } finally {
    await client.end().catch(() => {});
    await database.stop();
  }
}

const rowProblems = (manifest: Manifest, counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(manifest.rows).flatMap(([table, [least, most]]) => {
    const found = counts[table] ?? 0;
    if (found >= least && found <= most) return [];
    const expected = least === most ? `${most}` : `${least} to ${most}`;
    return [`${table} has ${found} rows instead of ${expected}`];
  });

/** How many files of a database aren't in its folder. */
export async function countMissingFiles(databaseUrl: string, folder: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {});
  try {
    await client.connect();
    const files = await storedFiles(client);
    return files.filter(({ key }) => !existsSync(join(folder, key))).length;
  } finally {
    await client.end().catch(() => {});
  }
}

async function fileProblems(client: pg.Client, folder: string, deleted: number): Promise<string[]> {
  let missing = 0;
  let changed = 0;
  for (const { key, sha256 } of await storedFiles(client)) {
    const sum = await sumOf(join(folder, key));
    if (sum === null) missing += 1;
    else if (sum !== sha256) changed += 1;
  }
  return [
    ...(missing > deleted ? [`${missing} ${missing === 1 ? 'file is' : 'files are'} missing`] : []),
    ...(changed ? [`${changed} ${changed === 1 ? 'file has' : 'files have'} other content`] : []),
  ];
}

/** Null: there is no such file. */
async function sumOf(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
