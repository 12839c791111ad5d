import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { isIP, type LookupFunction } from 'node:net';
import { Agent as HttpAgent } from 'node:http';
import { Agent } from 'node:https';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { HttpClientError } from '../../platform/http-client/errors.ts';
import { throwFileMissing, type BlobStore } from '../../platform/files.ts';
import type { S3Settings } from './settings.ts';

/** Loading the SDK takes 200 ms, so it is loaded only when it is used. */
const loadSdk = () =>
  createRequire(import.meta.url)('@aws-sdk/client-s3') as typeof import('@aws-sdk/client-s3');

/** For buckets that somebody else names: only the addresses that this look-up gives are connected to. */
interface Guard {
  lookup: LookupFunction;
  isPublic: (address: string) => boolean;
  timeoutMs: number;
}

const guarded = ({ lookup, timeoutMs }: Guard) => ({
  maxAttempts: 1,
  requestHandler: {
    httpsAgent: new Agent({ lookup }),
    httpAgent: new HttpAgent({ lookup }),
    connectionTimeout: 5_000,
    requestTimeout: timeoutMs,
    throwOnRequestTimeout: true,
  },
});

/** How a client of this service is set up; with a guard, for a bucket that somebody else names. */
export const clientOptions = (s: S3Settings, guard?: Guard) => ({
  ...(guard && guarded(guard)),
  region: s.region,
  ...(s.endpoint ? { endpoint: s.endpoint, forcePathStyle: true } : {}),
  ...(s.accessKeyId && s.secretAccessKey
    ? { credentials: { accessKeyId: s.accessKeyId, secretAccessKey: s.secretAccessKey } }
    : {}),
  // Not all S3-compatible services support the newer checksums.
  requestChecksumCalculation: 'WHEN_REQUIRED' as const,
  responseChecksumValidation: 'WHEN_REQUIRED' as const,
});

/**
 * Files in an S3 bucket: `S3_BUCKET`, or one that a company names, behind a guard.
 * @throws HttpClientError for an endpoint at an address that the guard doesn't let through
 */
export function s3Bytes(s: S3Settings, guard?: Guard): BlobStore {
  // An IP address is connected to without a look-up.
  const host = s.endpoint ? new URL(s.endpoint).hostname.replace(/^\[|\]$/g, '') : '';
  if (guard && isIP(host) && !guard.isPublic(host))
    throw new HttpClientError('PRIVATE_ADDRESS', `${host} is not on the public internet`);
  const { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } = loadSdk();
  const client = new S3Client(clientOptions(s, guard));
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
