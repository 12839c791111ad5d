import { createHash, randomUUID } from 'node:crypto';
import { createDiskStore, throwFileMissing, type BlobStore } from './blob-store.ts';
import type { Tx } from './db.ts';
import type { FileGuard } from './file-guard.ts';
import { madeWithOneOf, sign } from './secrets.ts';
import type { Settings } from './settings.ts';

export { createDiskStore, throwFileMissing, type BlobStore };

interface StoredFile {
  id: number;
  key: string;
  name: string;
  contentType: string;
  bytes: number;
}

/** Bytes that were streamed to the store and have no row yet. */
interface ReceivedFile {
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
    file: {
      name: string;
      contentType: string;
      bytes: Buffer;
      purpose: string;
      deleteAfter?: Date;
      guard?: FileGuard;
    },
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
      /** For whom it is; absent: for whoever has a signed link. */ guard?: FileGuard;
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
  return {
    blobs: bytes,
    save: async (tx, companyId, file, now) => {
      const key = createKey(companyId, now);
      await bytes.put(key, file.bytes, file.contentType);
      return insertRow(
        tx,
        companyId,
        {
          ...file,
          received: {
            key,
            bytes: file.bytes.length,
            sha256: sha256(file.bytes),
          },
        },
        now,
      );
    },
    receive: (companyId, contentType, chunks, now) =>
      receiveStream(bytes, companyId, contentType, chunks, now),
    insertRow,
    replace: (tx, companyId, fileId, next, now) =>
      replaceBytes(bytes, tx, { companyId, fileId }, next, now),
    markDeleted,
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

const createKey = (companyId: number, now: Date) =>
  `${companyId}/${now.toISOString().slice(0, 7)}/${randomUUID()}`;

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

const insertRow: FileStore['insertRow'] = async (
  tx,
  companyId,
  { name, contentType, purpose, received, deleteAfter, guard },
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
      guard: guard ? JSON.stringify(guard) : null,
    })
    .returning(['id'])
    .executeTakeFirstOrThrow();
  return { id: row.id, key: received.key, name, contentType, bytes: received.bytes };
};

async function receiveStream(
  blobs: BlobStore,
  companyId: number,
  contentType: string,
  chunks: AsyncIterable<Buffer>,
  now: Date,
): Promise<ReceivedFile> {
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
  await blobs.putStream(key, hashing(), contentType);
  return { key, bytes: length, sha256: hash.digest('hex') };
}

async function replaceBytes(
  blobs: BlobStore,
  tx: Tx,
  { companyId, fileId }: { companyId: number; fileId: number },
  next: Buffer,
  now: Date,
): Promise<string> {
  const old = await tx
    .selectFrom('file')
    .select(['key', 'content_type'])
    .where('company_id', '=', companyId)
    .where('id', '=', fileId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const key = createKey(companyId, now);
  await blobs.put(key, next, old.content_type);
  await tx
    .updateTable('file')
    .set({ key, bytes: next.length, sha256: sha256(next) })
    .where('company_id', '=', companyId)
    .where('id', '=', fileId)
    .execute();
  return old.key;
}

const markDeleted: FileStore['markDeleted'] = async (tx, companyId, fileId, now) => {
  await tx
    .updateTable('file')
    .set({ deleted_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', fileId)
    .execute();
};

/**
 * A file of the company; undefined when it does not exist or is deleted. What is the permission (a signed
 * link, a guard) is the caller's to check.
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

/** The keys of all stored bytes of a company, those of deleted files included. */
export const fileKeysOf = async (tx: Tx, companyId: number): Promise<string[]> =>
  (await tx.selectFrom('file').select('key').where('company_id', '=', companyId).execute()).map(
    (file) => file.key,
  );

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
