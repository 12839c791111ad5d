import { Readable } from 'node:stream';
import pg from 'pg';

/** What node-postgres has but doesn't declare: the connection below a client. */
interface Wire {
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void;
  stream: { pause(): void; resume(): void };
}

/**
 * The files of a whole PostgreSQL as a tar archive, taken while it works: what was committed when
 * the stream ends is in it. A server started on the unpacked files recovers to exactly that moment.
 * It is the server's own base backup, spoken over its replication protocol.
 * @param url of a role that may replicate, which the owner of our own server is
 */
export function baseBackup(url: string): Readable {
  const client = new pg.Client({
    connectionString: url,
    // A connection for replication: passed on as it is, though the types don't name it.
    ...({ replication: 'true' } as object),
  });
  const wire = (client as unknown as { connection: Wire }).connection;
  const archive = new Readable({
    read: () => wire.stream.resume(),
    destroy: (error, done) => void client.end().finally(() => done(error)),
  });
  client.on('error', (error) => archive.destroy(error));
  wire.on('copyData', ({ chunk }) => {
    // The first byte is the kind: d for data; n and p name the archive and its progress. Copied,
    // because the connection reads into the same memory again.
    if (chunk[0] === 0x64 && !archive.push(Buffer.from(chunk.subarray(1)))) wire.stream.pause();
  });
  void client
    .connect()
    .then(() =>
      client.query(
        // In capitals: the replication protocol knows these words in no other form.
        "BASE_BACKUP (LABEL 'trunkline', CHECKPOINT 'fast', WAL true, MANIFEST 'no')",
      ),
    )
    .then(() => archive.push(null))
    .catch((error: unknown) => archive.destroy(error as Error));
  return archive;
}
