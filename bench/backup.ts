import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { compareCopy } from '../server/src/backup/check-backup.ts';
import { folderPlace } from '../server/src/backup/folder-place.ts';
import { makeBackup } from '../server/src/backup/make-backup.ts';
import { restoreBackup } from '../server/src/backup/restore-backup.ts';
import { readSettings } from '../server/src/settings.ts';
import { fillCompany } from './fill-company.ts';
import { createBench, fmt, percentile } from './kit.ts';

/**
 * A backup of a large installation while its inbox is read, its restore, and the comparison of the
 * copy. `BACKUP_CONVERSATIONS` (200,000: 3.9 GB of database) as in `lists`, and `BACKUP_FILES` (3,000)
 * files of 2 MB that can't be compressed, as recordings can't. The bare limit: the same folders copied
 * by `cp`. On a disk with room for three times as much: TMPDIR.
 */
const conversations = Number(process.env['BACKUP_CONVERSATIONS'] ?? 200_000);
const files = Number(process.env['BACKUP_FILES'] ?? 3000);
const FILE_BYTES = 2 * 2 ** 20;
const passphrase = 'a passphrase of the bench';

const bench = await createBench(
  {},
  {
    name: `company-${conversations}`,
    source: readFileSync(new URL('fill-company.ts', import.meta.url), 'utf8'),
    fill: (owner, companyId) => fillCompany(owner, companyId, conversations),
  },
);
const dataDir = bench.env['DATA_DIR']!;
const owner = new pg.Pool({ connectionString: bench.database, max: 2 });
for (let n = 0; n < files; n += 1) {
  const key = `bench/${Math.floor(n / 100)}/${n}.webm`;
  const content = randomBytes(FILE_BYTES);
  mkdirSync(join(dataDir, 'files', key, '..'), { recursive: true });
  writeFileSync(join(dataDir, 'files', key), content);
  await owner.query(
    `insert into file (company_id, key, name, content_type, bytes, sha256, purpose)
      values ($1, $2, $2, 'video/webm', $3, $4, 'recording')`,
    [bench.companyId, key, FILE_BYTES, createHash('sha256').update(content).digest('hex')],
  );
}
const { rows } = await owner.query<{ bytes: string }>(
  'select sum(pg_database_size(oid)) bytes from pg_database',
);
const GB = 2 ** 30;
const size = { database: Number(rows[0]!.bytes) / GB, files: (files * FILE_BYTES) / GB };
console.log(`${fmt(size.database)} GB of database, ${fmt(size.files)} GB of files`);

let isReading = true;
/** Reads the inbox five times a second until `isReading` is false; milliseconds of each. */
async function readInbox(): Promise<number[]> {
  const taken: number[] = [];
  while (isReading) {
    const began = performance.now();
    const { status } = await fetch(
      `${bench.url}/api/companies/${bench.companyId}/conversations?perPage=25`,
      { headers: { authorization: `Bearer ${bench.token}` } },
    );
    if (status !== 200) throw new Error(`The inbox answered ${status}`);
    taken.push(performance.now() - began);
    await pause(200);
  }
  return taken;
}
async function timed<T>(name: string, work: () => Promise<T>): Promise<T> {
  isReading = true;
  const reading = readInbox();
  const began = performance.now();
  const result = await work();
  const seconds = (performance.now() - began) / 1000;
  isReading = false;
  const taken = await reading;
  console.log(
    `${name}: ${fmt(seconds)} s, ${fmt(((size.database + size.files) * 1024) / seconds)} MB/s; inbox p50 ${fmt(percentile(taken, 50))} p95 ${fmt(percentile(taken, 95))} ms`,
  );
  return result;
}

await timed('nothing else', () => pause(10_000));
const room = mkdtempSync(join(dataDir, '..', 'trunkline-bench-backup-'));
chmodSync(room, 0o711); // As root, the database runs as another user, which must have access.
try {
  const bare = join(room, 'bare');
  await timed('cp', () => promisify(execFile)('cp', ['-a', dataDir, bare]));
  rmSync(bare, { recursive: true });
  const place = folderPlace(join(room, 'backups'));
  const settings = readSettings(bench.env);
  const { name, manifest } = await timed('backup', () =>
    makeBackup(
      { settings, database: { url: bench.database, embedded: true }, version: 'bench' },
      place,
      passphrase,
    ),
  );
  const stored = manifest.parts.map(({ name: part, bytes }) => `${part} ${fmt(bytes / GB)} GB`);
  console.log(`stored: ${stored.join(', ')}`);
  const target = { dataDir: join(room, 'copy'), databaseUrl: null };
  mkdirSync(target.dataDir, { mode: 0o711 });
  await timed('restore', () => restoreBackup(place, name, passphrase, target));
  await timed('comparison of the copy', () => compareCopy(manifest, target));
} finally {
  rmSync(room, { recursive: true, force: true, maxRetries: 5 });
}
await owner.end();
await bench.close();
