import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { throwFileMissing, type BlobStore } from '../../platform/files.ts';
import type { S3Settings } from './settings.ts';

/** Loading the SDK takes 200 ms, so it is loaded only when it is used. */
const loadSdk = () =>
  createRequire(import.meta.url)('@aws-sdk/client-s3') as typeof import('@aws-sdk/client-s3');

const clientOptions = (s: S3Settings) => ({
  region: s.region,
  ...(s.endpoint ? { endpoint: s.endpoint, forcePathStyle: true } : {}),
  ...(s.accessKeyId && s.secretAccessKey
    ? { credentials: { accessKeyId: s.accessKeyId, secretAccessKey: s.secretAccessKey } }
    : {}),
  // Not all S3-compatible services support the newer checksums.
  requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  responseChecksumValidation: 'WHEN_REQUIRED' as const,
});

/** Files in an S3 bucket (`S3_BUCKET`). */
export function s3Bytes(s: S3Settings): BlobStore {
  const { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } = loadSdk();
  const client = new S3Client(clientOptions(s));
  const at = (Key: string) => ({ Bucket: s.bucket, Key });
  const stream = async (key: string, range?: { start: number; end: number }) =>
    (
      await client
        .send(
          new GetObjectCommand({
            ...at(key),
            ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}),
          }),
        )
        .catch(throwFileMissing)
    ).Body as Readable;
  return {
    put: async (key, bytes, contentType) => {
      await client.send(
        new PutObjectCommand({ ...at(key), Body: bytes, ContentType: contentType }),
      );
    },
    putStream: async (key, pieces, contentType) => {
      // S3 needs the length first, so the stream is written to a temporary file.
      const draft = join(tmpdir(), `trunkline-${randomUUID()}.part`);
      try {
        await pipeline(pieces, createWriteStream(draft));
        await client.send(
          new PutObjectCommand({
            ...at(key),
            Body: createReadStream(draft),
            ContentLength: (await stat(draft)).size,
            ContentType: contentType,
          }),
        );
      } finally {
        await unlink(draft).catch(() => {});
      }
    },
    get: async (key) => {
      const chunks: Buffer[] = [];
      for await (const chunk of await stream(key)) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks);
    },
    stream,
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)));
    },
  };
}
