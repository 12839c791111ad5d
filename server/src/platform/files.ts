import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { createReadStream, createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Tx } from './db.ts';
import { fail } from './errors.ts';
import { madeWithOneOf, sign } from './secrets.ts';
import type { Settings } from './settings.ts';

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

export interface StoredFile {
  id: number;
  key: string;
  name: string;
  contentType: string;
  bytes: number;
}

/** Bytes that were streamed to the store and have no row yet. */
export interface ReceivedFile {
  key: string;
  bytes: number;
  sha256: string;
}

export interface FileStore {
  readonly blobs: BlobStore;
  /**
   * Stores bytes for a company and inserts the row in the caller's transaction. The bytes are
   * written first: bytes without a row are harmless, a row without bytes is not.
   */
  save(
    tx: Tx,
    companyId: number,
    file: { name: string; contentType: string; bytes: Buffer; purpose: string },
    now: Date,
  ): Promise<StoredFile>;
  /**
   * Stores a stream without holding it in memory or a transaction open; `insertRow` then adds the
   * row.
   */
  receive(
    companyId: number,
    contentType: string,
    chunks: AsyncIterable<Buffer>,
    now: Date,
  ): Promise<ReceivedFile>;
  insertRow(
    tx: Tx,
    companyId: number,
    file: {
      name: string;
      contentType: string;
      purpose: string;
      received: ReceivedFile;
      /** When the file is deleted. */ deleteAfter?: Date;
    },
    now: Date,
  ): Promise<StoredFile>;
  /**
   * Replaces the bytes under the same id, so that whatever shows the file shows the new ones.
   * Returns the key of the old bytes, to be removed after commit.
   */
  replace(tx: Tx, companyId: number, fileId: number, next: Buffer, now: Date): Promise<string>;
  /** Marks the file as deleted. Its bytes are removed after commit (`blobs.remove`). */
  markDeleted(tx: Tx, companyId: number, fileId: number, now: Date): Promise<void>;
  /**
   * A signed URL valid for `seconds` (15 minutes by default, A1 "File answers"). Relative, so that
   * it works behind any host.
   */
  signUrl(companyId: number, fileId: number, now: Date, seconds?: number): string;
  /** True when the URL was signed by us and has not expired. `expires`: seconds since 1970. */
  verifyUrl(
    companyId: number,
    fileId: number,
    expires: number,
    signature: string,
    now: Date,
  ): boolean;
}

/** Files on the local disk or in S3 (`S3_BUCKET`). */
export function createFileStore(settings: Settings, bytes: BlobStore): FileStore {
  const signature = (secret: Buffer, companyId: number, fileId: number, expires: number) =>
    sign(secret, `file:${companyId}:${fileId}:${expires}`);
  const createKey = (companyId: number, now: Date) =>
    `${companyId}/${now.toISOString().slice(0, 7)}/${randomUUID()}`;
  const enter: FileStore['insertRow'] = async (
    tx,
    companyId,
    { name, contentType, purpose, received, deleteAfter },
    now,
  ) => {
    const row = await tx
      .insertInto('file')
      .values({
        company_id: companyId,
        key: received.key,
        name: name.slice(0, 200),
        content_type: contentType,
        bytes: received.bytes,
        sha256: received.sha256,
        purpose,
        created_at: now,
        delete_after: deleteAfter ?? null,
      })
      .returning(['id'])
      .executeTakeFirstOrThrow();
    return { id: row.id, key: received.key, name, contentType, bytes: received.bytes };
  };
  return {
    blobs: bytes,
    save: async (tx, companyId, file, now) => {
      const key = createKey(companyId, now);
      await bytes.put(key, file.bytes, file.contentType);
      return enter(
        tx,
        companyId,
        {
          ...file,
          received: {
            key,
            bytes: file.bytes.length,
            sha256: createHash('sha256').update(file.bytes).digest('hex'),
          },
        },
        now,
      );
    },
    receive: async (companyId, contentType, chunks, now) => {
      const key = createKey(companyId, now);
      const hash = createHash('sha256');
      let length = 0;
      async function* hashing() {
        for await (const chunk of chunks) {
          hash.update(chunk);
          length += chunk.length;
          yield chunk;
        }
      }
      await bytes.putStream(key, hashing(), contentType);
      return { key, bytes: length, sha256: hash.digest('hex') };
    },
    insertRow: enter,
    replace: async (tx, companyId, fileId, next, now) => {
      const old = await tx
        .selectFrom('file')
        .select(['key', 'content_type'])
        .where('company_id', '=', companyId)
        .where('id', '=', fileId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const key = createKey(companyId, now);
      await bytes.put(key, next, old.content_type);
      await tx
        .updateTable('file')
        .set({ key, bytes: next.length, sha256: createHash('sha256').update(next).digest('hex') })
        .where('company_id', '=', companyId)
        .where('id', '=', fileId)
        .execute();
      return old.key;
    },
    markDeleted: async (tx, companyId, fileId, now) => {
      await tx
        .updateTable('file')
        .set({ deleted_at: now })
        .where('company_id', '=', companyId)
        .where('id', '=', fileId)
        .execute();
    },
    signUrl: (companyId, fileId, now, seconds = 900) => {
      // Rounded up to the minute, so that the same picture keeps its URL, and browsers their cached
      // copy.
      const expires = Math.ceil((now.getTime() / 1000 + seconds) / 60) * 60;
      return `/api/files/${fileId}?company=${companyId}&expires=${expires}&signature=${signature(settings.appSecret, companyId, fileId, expires)}`;
    },
    verifyUrl: (companyId, fileId, expires, given, now) => {
      const isOurs = madeWithOneOf(settings.appSecrets, given, (secret) =>
        signature(secret, companyId, fileId, expires),
      );
      return isOurs && expires * 1000 > now.getTime();
    },
  };
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

/**
 * The file of a signed URL; undefined when it does not exist or is deleted. The signature is the
 * permission, so the company is the one in the URL.
 */
export async function findFile(tx: Tx, companyId: number, id: number) {
  return tx
    .selectFrom('file')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Up to 500 files of all companies whose `delete_after` has passed. For the system's jobs only. */
export const listExpiredFiles = async (
  directory: Tx,
  now: Date,
): Promise<{ companyId: number; id: number; key: string }[]> =>
  (
    await directory
      .selectFrom('file')
      .select(['company_id', 'id', 'key'])
      .where('delete_after', '<', now)
      .where('deleted_at', 'is', null)
      .limit(500)
      .execute()
  ).map((f) => ({ companyId: f.company_id, id: f.id, key: f.key }));
