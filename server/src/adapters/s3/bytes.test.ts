import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDiskStore, type BlobStore } from '../../platform/files.ts';
import { s3Bytes } from './bytes.ts';

/** One promise for both places where bytes live: what was put comes back, whole and in part, and what was removed is gone. */
const folder = mkdtempSync(join(tmpdir(), 'trunkline-bytes-'));
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 's3'),
  configureBuckets: [{ name: 'trunkline', configs: [] }],
});
let s3: BlobStore;
beforeAll(async () => {
  const { port } = (await server.run()) as { port: number };
  s3 = s3Bytes({
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'trunkline',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
  });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['disk', () => createDiskStore(join(folder, 'disk'))],
  ['S3', () => s3],
])('%s gives back what it was given', async (_, open) => {
  const store = open();
  const bytes = Buffer.from(Array.from({ length: 5000 }, (__, i) => i % 251));
  await store.put('1/2026-11/a', bytes, 'audio/wav');
  expect((await store.get('1/2026-11/a')).equals(bytes)).toBe(true);
  const part: Buffer[] = [];
  for await (const chunk of await store.stream('1/2026-11/a', { start: 100, end: 199 }))
    part.push(chunk as Buffer);
  expect(Buffer.concat(part).equals(bytes.subarray(100, 200))).toBe(true);
  async function* pieces(broken = false) {
    yield bytes.subarray(0, 2000);
    if (broken) throw new Error('the rows ran dry');
    yield bytes.subarray(2000);
  }
  await store.putStream('1/2026-11/b', pieces(), 'text/csv');
  expect((await store.get('1/2026-11/b')).equals(bytes)).toBe(true);
  await expect(store.putStream('1/2026-11/c', pieces(true), 'text/csv')).rejects.toThrow('ran dry');
  await expect(store.get('1/2026-11/c')).rejects.toThrow();
  await store.remove('1/2026-11/a');
  await expect(store.get('1/2026-11/a')).rejects.toThrow();
});
