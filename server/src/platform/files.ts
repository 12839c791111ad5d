import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Tx } from './db.ts';
import type { Settings } from './settings.ts';

/** Where bytes live. Keys are ours (`company/yyyy-mm/uuid`), never a user's file name. */
export interface ByteStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>;
  get(key: string): Promise<Buffer>;
  stream(key: string, range?: { start: number; end: number }): Promise<Readable>;
  remove(key: string): Promise<void>;
}

export interface StoredFile { id: number; key: string; name: string; contentType: string; bytes: number }

export interface FileStore {
  readonly bytes: ByteStore;
  /** Keep bytes for a company; the row is written in the caller's transaction, the bytes before it (an orphan is harmless, a hole is not). */
  keep(tx: Tx, companyId: number, file: { name: string; contentType: string; bytes: Buffer; purpose: string }, now: Date): Promise<StoredFile>;
  /** The file is no longer there for anyone. Its bytes are removed afterwards (`bytes.remove`), once this has committed. */
  forget(tx: Tx, companyId: number, fileId: number, now: Date): Promise<void>;
  /** A short-lived signed address (15 minutes unless said, A1 "File answers"). Relative, so it works behind any host. */
  sign(companyId: number, fileId: number, now: Date, seconds?: number): string;
  /** True when the address was signed by us and is still valid. */
  verify(companyId: number, fileId: number, expires: number, signature: string, now: Date): boolean;
}

/** Files on local disk or in S3 (`S3_BUCKET`). */
export function openFiles(settings: Settings, bytes: ByteStore): FileStore {
  const signature = (companyId: number, fileId: number, expires: number) =>
    createHmac('sha256', settings.appSecret).update(`file:${companyId}:${fileId}:${expires}`).digest('base64url');
  return {
    bytes,
    keep: async (tx, companyId, file, now) => {
      const key = `${companyId}/${now.toISOString().slice(0, 7)}/${randomUUID()}`;
      await bytes.put(key, file.bytes, file.contentType);
      const row = await tx.insertInto('file').values({
        company_id: companyId, key, name: file.name.slice(0, 200), content_type: file.contentType, bytes: file.bytes.length,
        sha256: createHash('sha256').update(file.bytes).digest('hex'), purpose: file.purpose, created_at: now,
      }).returning(['id']).executeTakeFirstOrThrow();
      return { id: row.id, key, name: file.name, contentType: file.contentType, bytes: file.bytes.length };
    },
    forget: async (tx, companyId, fileId, now) => {
      await tx.updateTable('file').set({ deleted_at: now }).where('company_id', '=', companyId).where('id', '=', fileId).execute();
    },
    sign: (companyId, fileId, now, seconds = 900) => {
      // Rounded up to the minute, so that the same picture keeps its address (and the browser its cache) for a while.
      const expires = Math.ceil((now.getTime() / 1000 + seconds) / 60) * 60;
      return `/api/files/${fileId}?company=${companyId}&expires=${expires}&signature=${signature(companyId, fileId, expires)}`;
    },
    verify: (companyId, fileId, expires, given, now) => {
      const right = Buffer.from(signature(companyId, fileId, expires));
      const got = Buffer.from(given);
      return right.length === got.length && timingSafeEqual(right, got) && expires * 1000 > now.getTime();
    },
  };
}

/** Bytes in a folder. A file appears whole or not at all. */
export function diskBytes(folder: string): ByteStore {
  const path = (key: string) => {
    if (!/^[\w/.-]+$/.test(key) || key.includes('..')) throw new Error('bad file key');
    return join(folder, key);
  };
  return {
    put: async (key, bytes) => {
      const target = path(key);
      await mkdir(dirname(target), { recursive: true });
      const draft = `${target}.${randomUUID()}.part`;
      const handle = await open(draft, 'w');
      await handle.writeFile(bytes);
      await handle.close();
      await rename(draft, target);
    },
    get: (key) => readFile(path(key)),
    stream: async (key, range) => { await stat(path(key)); return createReadStream(path(key), range); },
    remove: async (key) => { await unlink(path(key)).catch((e: NodeJS.ErrnoException) => { if (e.code !== 'ENOENT') throw e; }); },
  };
}

/** The file a signed address names, whatever company it is in (the signature is the permission). */
export async function fileRow(tx: Tx, companyId: number, id: number) {
  return tx.selectFrom('file').selectAll().where('company_id', '=', companyId).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
}
