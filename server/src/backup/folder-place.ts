import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupPlace } from '../gateways/backup-place.ts';

/** Backups in a folder, readable by its owner only. */
export function folderPlace(folder: string): BackupPlace {
  return {
    name: folder,
    async write(path, content) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      const unfinished = `${target}.unfinished`;
      try {
        await pipeline(content, createWriteStream(unfinished, { mode: 0o600, flush: true }));
        await rename(unfinished, target);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async read(path) {
      const target = join(folder, path);
      await access(target);
      return createReadStream(target);
    },
    async list() {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    remove: (backup) => rm(join(folder, backup), { recursive: true, force: true }),
  };
}
