import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fail } from './errors.ts';

/**
 * Where the bytes of files are stored. Keys are ours (`company/yyyy-mm/uuid`), never a user's file
 * name. Missing bytes fail with `file.not_here`: a process may read a row whose bytes are on
 * another process's disk.
 */
export interface BlobStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  /** Stores a stream without holding it in memory. Nothing is stored when the stream fails. */
  putStream(key: string, chunks: AsyncIterable<Buffer>, contentType: string): Promise<void>;
  get(key: string): Promise<Buffer>;
  stream(key: string, range?: { start: number; end: number }): Promise<Readable>;
  remove(key: string): Promise<void>;
}

/** For bytes that are missing: fails with `file.not_here`. Any other error is rethrown. */
export const throwFileMissing = (error: unknown): never => {
  const { code, name } = error as { code?: string; name?: string };
  if (code === 'ENOENT' || name === 'NoSuchKey') return fail('file.not_here');
  throw error;
};

/**
 * Stores bytes in a folder. A file appears whole or not at all.
 * @throws Error for a key with characters that no key of ours has
 */
export function createDiskStore(folder: string): BlobStore {
  const path = (key: string) => {
    if (!/^[\w/.-]+$/.test(key) || key.includes('..')) throw new Error('bad file key');
    return join(folder, key);
  };
  return {
    put: async (key, bytes) => {
      const target = path(key);
      await mkdir(dirname(target), { recursive: true });
      const partFile = `${target}.${randomUUID()}.part`;
      const handle = await open(partFile, 'w');
      await handle.writeFile(bytes);
      await handle.close();
      await rename(partFile, target);
    },
    putStream: async (key, chunks) => {
      const target = path(key);
      await mkdir(dirname(target), { recursive: true });
      const partFile = `${target}.${randomUUID()}.part`;
      try {
        await pipeline(chunks, createWriteStream(partFile));
        await rename(partFile, target);
      } catch (error) {
        await unlink(partFile).catch(() => {});
        throw error;
      }
    },
    get: async (key) => readFile(path(key)).catch(throwFileMissing),
    stream: async (key, range) => {
      await stat(path(key)).catch(throwFileMissing);
      return createReadStream(path(key), range);
    },
    remove: async (key) => {
      await unlink(path(key)).catch((e: NodeJS.ErrnoException) => {
        if (e.code !== 'ENOENT') throw e;
      });
    },
  };
}
