import type { Readable } from 'node:stream';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BackupPlace } from '../../gateways/backup-place.ts';
import { clientOptions } from './bytes.ts';
import type { S3Settings } from './settings.ts';

/** Large enough for 10,000 parts, the most there may be, to hold a terabyte. */
const uploadPartBytes = 100 * 2 ** 20;

/**
 * Backups under a prefix of a bucket.
 * @param prefix may be empty
 * @param name as the operator named the place
 */
export function s3Place(s: S3Settings, prefix: string, name: string): BackupPlace {
  const client = new S3Client(clientOptions(s));
  const root = prefix.replace(/\/*$/, prefix ? '/' : '');
  const at = (path: string) => ({ Bucket: s.bucket, Key: `${root}${path}` });

  async function* pages(under: string, delimiter?: string) {
    let next: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({
          Bucket: s.bucket,
          Prefix: under,
          ...(delimiter && { Delimiter: delimiter }),
          ...(next && { ContinuationToken: next }),
        }),
      );
      yield page;
      next = page.NextContinuationToken;
    } while (next);
  }

  return {
    name,
    async write(path, content) {
      // In parts, since the length isn't known; without the last one nothing is stored.
      const upload = new Upload({
        client,
        params: { ...at(path), Body: content },
        partSize: uploadPartBytes,
        queueSize: 1,
      });
      await upload.done();
    },
    async read(path) {
      const { Body: body } = await client.send(new GetObjectCommand(at(path)));
      return body as Readable; // Node's kind of body.
    },
    async list() {
      const names: string[] = [];
      for await (const { CommonPrefixes: found } of pages(root, '/'))
        for (const one of found ?? []) names.push((one.Prefix ?? '').slice(root.length, -1));
      return names;
    },
    async remove(backup) {
      for await (const { Contents: found } of pages(`${root}${backup}/`)) {
        const objects = (found ?? []).flatMap(({ Key }) => (Key ? [{ Key }] : []));
        if (objects.length)
          await client.send(
            new DeleteObjectsCommand({ Bucket: s.bucket, Delete: { Objects: objects } }),
          );
      }
    },
  };
}
