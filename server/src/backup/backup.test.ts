import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  chmodSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { BackupPlace } from '../gateways/backup-place.ts';
import { migrate } from '../platform/migrate.ts';
import { mustBe } from '../platform/must-be.ts';
import { findBinaries, postgresIn } from '../platform/postgres/binaries.ts';
import { createCluster, startServer, stopServer } from '../platform/postgres/cluster.ts';
import { openDatabase } from '../platform/postgres/index.ts';
import { chooseOsUser } from '../platform/postgres/os-user.ts';
import type { Settings } from '../platform/settings.ts';
import { readSettings } from '../settings.ts';
import { lastDue } from '../start/backup-clock.ts';
import { lastAttemptAt, recordRun } from './backup-runs.ts';
import { BadCopyError, checkBackup, compareCopy, countMissingFiles } from './check-backup.ts';
import { dump } from './dump.ts';
import { folderPlace } from './folder-place.ts';
import { BackupRunningError, makeBackup, removeOldBackups } from './make-backup.ts';
import { openPlace } from './places.ts';
import { restoreBackup } from './restore-backup.ts';
import { restoreFiles } from './restore-files.ts';

/** With the tools for dumps beside it. */
const debian = findBinaries(tmpdir()).find(
  ({ bin, source }) => source === 'system' && existsSync(join(bin, 'pg_dump')),
);
const passphrase = 'only the operator knows';
const scratch = mkdtempSync(join(tmpdir(), 'trunkline-backups-'));
chmodSync(scratch, 0o711);
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));

const folder = (name: string) => {
  const path = join(scratch, name);
  mkdirSync(path, { recursive: true, mode: 0o711 });
  return path;
};
const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return work(client).finally(() => client.end());
};
const companyNames = (url: string) =>
  withClient(url, async (client) => {
    await client.query('set role trunkline_system');
    const { rows } = await client.query<{ name: string }>('select name from company order by id');
    return rows.map(({ name }) => name);
  });

/** An installation with two companies, one of which has a recording of 300 kB. */
const dataDir = folder('installation');
let settings: Settings;
let database: Awaited<ReturnType<typeof openDatabase>>;
const recording = randomBytes(300_000);
beforeAll(async () => {
  settings = readSettings({ DATA_DIR: dataDir });
  database = await openDatabase({ dataDir });
  await migrate(database.url);
  await withClient(database.url, async (client) => {
    await client.query(
      `insert into company (name, slug, created_at) values
        ('Harbor Dental', 'harbor', now() - interval '1 day'),
        ('Summit Plumbing', 'summit', now() - interval '1 hour')`,
    );
    await client.query(
      `insert into file (company_id, key, name, content_type, bytes, sha256, purpose)
        select id, id || '/2026-11/a', 'call.wav', 'audio/wav', $1, $2, 'recording' from company
        where slug = 'harbor'`,
      [recording.length, createHash('sha256').update(recording).digest('hex')],
    );
    const { rows } = await client.query<{ key: string }>('select key from file');
    const path = join(dataDir, 'files', rows[0]?.key ?? '');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, recording);
  });
});
afterAll(async () => database.stop());

let place: BackupPlace;
let placeFolder: string;
let counter = 0;
beforeEach(() => {
  placeFolder = join(scratch, `place-${(counter += 1)}`);
  place = folderPlace(placeFolder);
});
const backUp = () => makeBackup({ settings, database, version: '0.1.0' }, place, passphrase);
const emptyTarget = () => ({ dataDir: folder(`target-${(counter += 1)}`), databaseUrl: null });

test('a backup made while companies are created holds all from before it, and no half of one', async () => {
  const made: string[] = [];
  let going = true;
  const load = withClient(database.url, async (client) => {
    while (going) {
      const name = `Company ${made.length}`;
      await client.query('insert into company (name, slug) values ($1, $1)', [name]);
      made.push(name);
    }
  });
  const { name, manifest } = await backUp();
  const during = made.length;
  going = false;
  await load;
  onTestFinished(() =>
    withClient(database.url, async (client) => {
      await client.query("delete from company where slug like 'Company %'");
    }),
  );
  expect(during).toBeGreaterThan(3);
  const target = emptyTarget();
  await restoreBackup(place, name, passphrase, target);
  const copy = await openDatabase({ dataDir: target.dataDir });
  const names = await companyNames(copy.url);
  expect(names.slice(0, 2)).toEqual(['Harbor Dental', 'Summit Plumbing']);
  // Exactly the first so many: nothing is missing in between.
  expect(names.slice(2)).toEqual(made.slice(0, names.length - 2));
  expect(manifest.rows.company).toEqual([2, 2]);
  expect(manifest.totals.companies).toBeGreaterThan(5);
  const [file] = readdirSync(join(target.dataDir, 'files'), { recursive: true })
    .map((path) => join(target.dataDir, 'files', String(path)))
    .filter((path) => statSync(path).isFile());
  expect(readFileSync(file ?? '').equals(recording)).toBe(true);
  await copy.stop();
  await compareCopy(manifest, target);
  writeFileSync(file ?? '', 'other content');
  await expect(compareCopy(manifest, target)).rejects.toThrow('1 file has other content');
  rmSync(file ?? '');
  await expect(compareCopy(manifest, target)).rejects.toThrow('1 file is missing');
  // The secrets came along, so sealed values can be read.
  expect(readFileSync(join(target.dataDir, 'secrets/app-secret'), 'utf8')).toBe(
    settings.appSecret.toString('hex'),
  );
});

test('nothing of a customer or a secret can be read in what is stored', async () => {
  const { name } = await backUp();
  const stored = readdirSync(join(placeFolder, name));
  expect(stored.sort()).toEqual(['database.age', 'files.age', 'manifest.json', 'secrets.age']);
  for (const part of stored) {
    const content = readFileSync(join(placeFolder, name, part));
    for (const secret of [
      'Harbor Dental',
      settings.appSecret.toString('hex'),
      recording.subarray(0, 40),
    ])
      expect(content.includes(secret)).toBe(false);
    expect(statSync(join(placeFolder, name, part)).mode & 0o077).toBe(0);
  }
});

test('a copy that lacks rows or files, or has others, is found out', async () => {
  const { name, manifest } = await backUp();
  const path = join(placeFolder, name, 'manifest.json');
  writeFileSync(path, JSON.stringify({ ...manifest, rows: { ...manifest.rows, company: [3, 3] } }));
  await expect(checkBackup(place, name, passphrase, folder('checks'))).rejects.toThrow(
    new BadCopyError('The copy differs: company has 2 rows instead of 3'),
  );
  expect(readdirSync(folder('checks'))).toEqual([]);
});

test.skipIf(!debian)(
  'a PostgreSQL of one’s own is dumped by an owner who is no superuser, and loaded elsewhere',
  async () => {
    const home = folder('own');
    const binaries = mustBe(debian, 'a PostgreSQL of the system');
    const identity = chooseOsUser(join(home, 'data'), postgresIn(binaries)) ?? null;
    const cluster = { home, binaries, identity, password: 'of the superuser', options: [] };
    createCluster(cluster);
    const server = await startServer(cluster);
    onTestFinished(() => stopServer(cluster, server.pid));
    const at = (name: string, owner = 'trunkline:of%20the%20superuser') =>
      `postgres://${owner}@127.0.0.1:${server.port}/${name}`;
    await withClient(at('postgres'), async (client) => {
      await client.query("create role phones login createrole password 'it''s long'");
      for (const name of ['live', 'empty'])
        await client.query(`create database ${name} owner phones`);
    });
    const owner = "phones:it's%20long";
    const live = { url: at('live', owner), embedded: false };
    await migrate(live.url);
    await withClient(live.url, async (client) => {
      await client.query('set role trunkline_system');
      await client.query("insert into company (name, slug) values ('Harbor Dental', 'harbor')");
    });
    const { name } = await makeBackup(
      {
        settings: readSettings({ DATA_DIR: folder('own-data') }),
        database: live,
        version: '0.1.0',
      },
      place,
      passphrase,
    );
    const target = { dataDir: folder('own-copy'), databaseUrl: at('empty', owner) };
    const manifest = await restoreBackup(place, name, passphrase, target);
    await compareCopy(manifest, target);
    expect(await companyNames(target.databaseUrl)).toEqual(['Harbor Dental']);
    await expect(restoreBackup(place, name, passphrase, target)).rejects.toThrow(
      'The database at DATABASE_URL already has tables',
    );
    await expect(
      restoreBackup(place, name, passphrase, { ...target, databaseUrl: null }),
    ).rejects.toThrow('Create an empty database and set DATABASE_URL');
  },
);

describe('files of a backup, for a database that came back by other means,', () => {
  const files = () => {
    const there = join(dataDir, 'files');
    const [path = ''] = readdirSync(there, { recursive: true })
      .map((name) => join(there, String(name)))
      .filter((one) => statSync(one).isFile());
    return { there, path, kept: readFileSync(path) };
  };

  test('are added where they are missing, and replace none', async () => {
    const { name } = await backUp();
    const { there, path, kept } = files();
    onTestFinished(() => writeFileSync(path, kept));
    expect(await countMissingFiles(database.url, there)).toBe(0);
    rmSync(path);
    writeFileSync(join(there, 'newer'), 'younger than the backup');
    onTestFinished(() => rmSync(join(there, 'newer')));
    expect(await countMissingFiles(database.url, there)).toBe(1);

    const restore = () => restoreFiles(place, name, passphrase, dataDir);
    expect(await restore()).toEqual({ added: 1, kept: 0 });
    expect(readFileSync(path).equals(recording)).toBe(true);
    expect(await countMissingFiles(database.url, there)).toBe(0);
    writeFileSync(path, 'as it is here');
    expect(await restore()).toEqual({ added: 0, kept: 1 });
    expect(readFileSync(path, 'utf8')).toBe('as it is here');
    expect(readFileSync(join(there, 'newer'), 'utf8')).toBe('younger than the backup');
    expect(existsSync(join(dataDir, 'restore-files.unfinished'))).toBe(false);
  });

  test('are not added when the part was changed, the passphrase is another, or S3 has them', async () => {
    const { name } = await backUp();
    const { path, kept } = files();
    onTestFinished(() => writeFileSync(path, kept));
    rmSync(path);
    await expect(restoreFiles(place, name, 'some other passphrase', dataDir)).rejects.toThrow(
      'BACKUP_PASSPHRASE isn’t the one this backup was made with',
    );
    const part = join(placeFolder, name, 'files.age');
    const content = readFileSync(part);
    content[content.length - 20]! ^= 1;
    writeFileSync(part, content);
    await expect(restoreFiles(place, name, passphrase, dataDir)).rejects.toThrow();
    const manifest = join(placeFolder, name, 'manifest.json');
    const whole = JSON.parse(readFileSync(manifest, 'utf8')) as object;
    writeFileSync(manifest, JSON.stringify({ ...whole, files: null }));
    await expect(restoreFiles(place, name, passphrase, dataDir)).rejects.toThrow(
      'The files of this backup are in S3',
    );
    expect(existsSync(path)).toBe(false);
  });
});

describe('a restore is refused, and leaves the place as it was,', () => {
  let whole: string;
  let name: string;
  beforeAll(async () => {
    whole = join(scratch, 'whole');
    const made = await makeBackup(
      { settings, database, version: '0.1.0' },
      folderPlace(whole),
      passphrase,
    );
    ({ name } = made);
  });
  beforeEach(() => cpSync(whole, placeFolder, { recursive: true }));
  const nothingIn = (path: string) => expect(readdirSync(path)).toEqual([]);

  test('with another passphrase', async () => {
    const target = emptyTarget();
    await expect(restoreBackup(place, name, 'some other passphrase', target)).rejects.toThrow(
      'BACKUP_PASSPHRASE isn’t the one this backup was made with',
    );
    nothingIn(target.dataDir);
  });

  test.each(['database.age', 'files.age', 'secrets.age'])(
    'when a byte of %s changed',
    async (part) => {
      const path = join(placeFolder, name, part);
      const content = readFileSync(path);
      content[content.length - 20]! ^= 1;
      writeFileSync(path, content);
      const target = emptyTarget();
      await expect(restoreBackup(place, name, passphrase, target)).rejects.toThrow();
      expect(existsSync(join(target.dataDir, 'postgres/data'))).toBe(false);
      expect(existsSync(join(target.dataDir, 'files'))).toBe(false);
      expect(existsSync(join(target.dataDir, 'secrets'))).toBe(false);
    },
  );

  test('when a part is cut off', async () => {
    const path = join(placeFolder, name, 'database.age');
    writeFileSync(path, readFileSync(path).subarray(0, -70_000));
    const target = emptyTarget();
    await expect(restoreBackup(place, name, passphrase, target)).rejects.toThrow();
    expect(existsSync(join(target.dataDir, 'postgres/data'))).toBe(false);
  });

  test('where an installation is already', async () => {
    const files = folder('filled/files');
    writeFileSync(join(files, 'a'), 'a recording');
    await expect(
      restoreBackup(place, name, passphrase, { dataDir: dirname(files), databaseUrl: null }),
    ).rejects.toThrow(/filled already holds an installation\. Restore into another directory/);
    expect(readFileSync(join(files, 'a'), 'utf8')).toBe('a recording');
    await expect(
      restoreBackup(place, name, passphrase, { dataDir, databaseUrl: null }),
    ).rejects.toThrow('already holds an installation');
  });

  test('when it comes from a newer version, another platform, or never ended', async () => {
    const path = join(placeFolder, name, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as {
      migrations: string[];
      database: object;
    };
    const write = (changed: object) =>
      writeFileSync(path, JSON.stringify({ ...manifest, ...changed }));
    const target = emptyTarget();
    const restore = () => restoreBackup(place, name, passphrase, target);
    write({ version: '0.9.0', migrations: [...manifest.migrations, '900_teleport.sql'] });
    await expect(restore()).rejects.toThrow(
      'This backup was made by a newer Trunkline (0.9.0, with 900_teleport.sql). Restore it with that version or a later one',
    );
    write({ database: { ...manifest.database, platform: 'plan9-vax' } });
    await expect(restore()).rejects.toThrow('was made on plan9-vax');
    write({ database: { ...manifest.database, postgres: 97 } });
    await expect(restore()).rejects.toThrow('This backup needs PostgreSQL 97');
    rmSync(path);
    await expect(restore()).rejects.toThrow(`There is no finished backup ${name}`);
    nothingIn(target.dataDir);
  });
});

test('of two backups at once the second is refused; a failed one leaves nothing in the place', async () => {
  const first = backUp();
  await expect.poll(() => existsSync(placeFolder)).toBe(true);
  await expect(backUp()).rejects.toThrow(BackupRunningError);
  await first;
  const full: BackupPlace = {
    ...place,
    async write(path, content) {
      if (path.endsWith('files.age')) {
        content.destroy();
        throw new Error('no space left on device');
      }
      await place.write(path, content);
    },
  };
  await expect(
    makeBackup({ settings, database, version: '0.1.0' }, full, passphrase),
  ).rejects.toThrow('no space left');
  expect(await place.list()).toHaveLength(1);
});

test('the newest finished backups are kept; older ones and what was interrupted before them go', async () => {
  const put = async (name: string, finished = true) => {
    await place.write(`${name}/database.age`, Readable.from(['…']));
    if (finished) await place.write(`${name}/manifest.json`, Readable.from(['{}']));
  };
  for (const day of ['20', '21', '22', '24']) await put(`trunkline-2026-11-${day}T02-30-00Z`);
  await put('trunkline-2026-11-21T12-00-00Z', false);
  await put('trunkline-2026-11-23T02-30-00Z', false);
  await put('someone-elses', false);
  await removeOldBackups(place, 2);
  expect((await place.list()).sort()).toEqual([
    'someone-elses',
    'trunkline-2026-11-22T02-30-00Z',
    'trunkline-2026-11-23T02-30-00Z',
    'trunkline-2026-11-24T02-30-00Z',
  ]);
});

test('the clock makes up for a time that passed, once a day', () => {
  const due = (now: string) => lastDue('02:30', new Date(now)).toISOString();
  expect(due('2026-11-27T02:29:59Z')).toBe('2026-11-26T02:30:00.000Z');
  expect(due('2026-11-27T02:30:00Z')).toBe('2026-11-27T02:30:00.000Z');
  expect(due('2026-11-27T23:59:59Z')).toBe('2026-11-27T02:30:00.000Z');
});

test('how a backup went is stored', async () => {
  expect(await lastAttemptAt(database.url)).toBeNull();
  const startedAt = new Date('2026-11-27T02:30:00Z');
  await recordRun(database.url, {
    ...{ name: 'trunkline-2026-11-27T02-30-00Z', place: '/mnt', startedAt, bytes: 12 },
    ...{ error: null, checkedAt: null, checkError: null },
  });
  expect(await lastAttemptAt(database.url)).toEqual(startedAt);
});

test('a bucket keeps backups as a folder does', async () => {
  const server = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory: folder('s3') },
    configureBuckets: [{ name: 'backups', configs: [] }],
  });
  const { port } = (await server.run()) as { port: number };
  onTestFinished(() => server.close());
  const bucket = await openPlace(
    's3://backups/phones',
    readSettings({
      DATA_DIR: dataDir,
      BACKUP_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
      BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER',
    }),
  );
  const { name } = await makeBackup({ settings, database, version: '0.1.0' }, bucket, passphrase);
  expect(await bucket.list()).toEqual([name]);
  expect(JSON.parse(await text(await bucket.read(`${name}/manifest.json`)))).toMatchObject({
    format: 1,
  });
  await bucket.remove(name);
  expect(await bucket.list()).toEqual([]);
  await expect(bucket.read(`${name}/manifest.json`)).rejects.toThrow();
});

test('without tools for dumps of its version, a PostgreSQL of one’s own is refused with advice', () => {
  expect(() => dump('postgres://a@127.0.0.1:1/b', 97)).toThrow(
    /pg_dump 97 or later is needed.*apt-get install postgresql-client/,
  );
});
