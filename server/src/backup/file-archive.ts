import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, opendir, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { extract, pack, type Extract } from 'tar-stream';

/**
 * A folder's files as a tar archive. Files that vanish meanwhile are left out, as are those still
 * being written (`.part`).
 * @param counted grows with what is packed
 */
export function packFolder(folder: string, counted: { count: number; bytes: number }): Readable {
  const archive = pack();
  void (async () => {
    for await (const path of filesIn(folder)) {
      const found = await stat(path).catch(() => null);
      if (!found) continue;
      const entry = archive.entry({
        name: relative(folder, path),
        size: found.size,
        mtime: found.mtime,
      });
      await pipeline(createReadStream(path), entry);
      counted.count += 1;
      counted.bytes += found.size;
    }
    archive.finalize();
  })().catch((error: unknown) => archive.destroy(error as Error));
  return Readable.from(archive);
}

async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { path, isFolder } of entriesIn(folder))
    if (!isFolder && !path.endsWith('.part')) yield path;
}

/** All that is in a folder, at any depth; nothing when there is no such folder. */
export async function* entriesIn(
  folder: string,
): AsyncGenerator<{ path: string; isFolder: boolean }> {
  const directory = await opendir(folder).catch(() => null);
  for await (const entry of directory ?? []) {
    const path = join(folder, entry.name);
    yield { path, isFolder: entry.isDirectory() };
    if (entry.isDirectory()) yield* entriesIn(path);
  }
}

/**
 * Unpacks a tar archive of files and folders.
 * @throws Error for a path that leads out of the folder, and for links, which none of ours holds
 */
export async function unpackInto(folder: string, archive: Readable): Promise<void> {
  const entries = extract();
  await Promise.all([pipeline(archive, entries), writeEntries(folder, entries)]);
}

async function writeEntries(folder: string, entries: Extract): Promise<void> {
  for await (const entry of entries) {
    const { name, type, mode } = entry.header;
    const target = join(folder, name);
    if (isAbsolute(name) || relative(folder, target).startsWith('..'))
      throw new Error(`The archive holds a path outside of it: ${name}`);
    if (type === 'directory') {
      await mkdir(target, { recursive: true, mode: 0o700 });
      entry.resume();
    } else if (type === 'file') {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(entry, createWriteStream(target, { mode: (mode ?? 0) & 0o700 || 0o600 }));
    } else throw new Error(`The archive holds something that is no file: ${name}`);
  }
}
