import { link, mkdir, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { BackupPlace } from '../gateways/backup-place.ts';
import { entriesIn, unpackInto } from './file-archive.ts';
import {
  gunzipped,
  openPart,
  readManifest,
  readSecrets,
  RestoreRefusedError,
} from './read-backup.ts';

/**
 * Adds the files of a backup that are missing in `dataDir`, for a database that was brought back by
 * other means. What is there stays as it is: files are never changed, only added and deleted. The
 * product can be running.
 * @throws RestoreRefused, WrongPassphrase, or what is wrong with the part; then nothing was added
 */
export async function restoreFiles(
  place: BackupPlace,
  backup: string,
  passphrase: string,
  dataDir: string,
): Promise<{ added: number; kept: number }> {
  const manifest = await readManifest(place, backup);
  if (!manifest.files)
    throw new RestoreRefusedError(
      'The files of this backup are in S3, and not in it. Get them back from the versions of that bucket, or from its replica',
    );
  const secrets = await readSecrets(place, backup, manifest, passphrase);
  const draft = join(dataDir, 'restore-files.unfinished');
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const files = await openPart(place, backup, manifest, 'files', secrets);
    await unpackInto(draft, gunzipped(files.content));
    files.verify();
    return await addMissing(draft, join(dataDir, 'files'));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function addMissing(from: string, to: string): Promise<{ added: number; kept: number }> {
  const counted = { added: 0, kept: 0 };
  for await (const { path, isFolder } of entriesIn(from)) {
    if (isFolder) continue;
    const target = join(to, relative(from, path));
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    // Unlike renaming, a link never replaces a file.
    const isAdded = await link(path, target).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return false;
      },
    );
    counted[isAdded ? 'added' : 'kept'] += 1;
  }
  return counted;
}
