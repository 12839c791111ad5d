import { randomBytes, randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, statfsSync } from 'node:fs';
import type { BlobStore } from '../blob-store.ts';
import type { Settings } from '../settings.ts';
import { ok, problem, reasonOf, type Finding } from './finding.ts';

/** Less than this, and the next recordings or the database's log can fill the disk. */
const leastFreeGB = 1;

/** Whether the process can write to its own folder. */
export function dataDirectoryFinding({ dataDir }: Pick<Settings, 'dataDir'>): Finding {
  try {
    mkdirSync(dataDir, { recursive: true });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch {
    return problem(
      `The server can’t write to ${dataDir}.`,
      'Run it as the owner of that folder, or set DATA_DIR.',
    );
  }
  return ok(`Data is in ${dataDir}.`);
}

/** How much is free on the disk of the data. */
export function diskFinding({ dataDir }: Pick<Settings, 'dataDir'>): Finding {
  const { bavail, bsize, blocks } = statfsSync(existsSync(dataDir) ? dataDir : '/');
  const freeGB = (bavail * bsize) / 1e9;
  const found = `${freeGB.toFixed(freeGB < 10 ? 1 : 0)} GB of ${((blocks * bsize) / 1e9).toFixed(0)} GB are free on the disk of ${dataDir}.`;
  return freeGB >= leastFreeGB
    ? ok(found)
    : problem(found, 'Free up space, or set DATA_DIR to another disk (docs/runbooks.md).');
}

/** Writes a file where recordings go, reads it, and deletes it. */
export async function filesFinding(
  { sharesFiles, dataDir }: Pick<Settings, 'sharesFiles' | 'dataDir'>,
  blobs: BlobStore,
): Promise<Finding> {
  const where = sharesFiles ? 'the bucket' : `${dataDir}/files`;
  const fix = sharesFiles
    ? 'Check S3_BUCKET and its keys: they must be allowed to put, get and delete.'
    : 'Give the server’s user the right to write there, and free up space.';
  const key = `check/${randomUUID()}`;
  const bytes = randomBytes(64);
  try {
    await blobs.put(key, bytes, 'application/octet-stream');
    const read = await blobs.get(key);
    await blobs.remove(key);
    return read.equals(bytes)
      ? ok(`A file was written to ${where}, read and deleted.`)
      : problem(`A file in ${where} reads otherwise than it was written.`, fix);
  } catch (error) {
    return problem(`A file can’t be stored in ${where}: ${reasonOf(error)}.`, fix);
  }
}
