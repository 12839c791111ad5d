import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { AlreadyOwned, openDatabase, sized } from './index.ts';
import { runningServer } from './pid-file.ts';
import { isAlive } from './data-dir-lock.ts';

const root = mkdtempSync(join(tmpdir(), 'trunkline-launcher-'));
chmodSync(root, 0o711); // As root, the database runs as another user, which must be able to enter.
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ask = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
};

/** Another Node process that opens the database, prints its address and runs until it is killed. */
const opener = async (dataDir: string) => {
  const script = join(root, 'opener.mts');
  writeFileSync(
    script,
    `import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
    const { url } = await openDatabase({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(url); setInterval(() => {}, 1000);`,
  );
  const child = spawn(process.execPath, ['--import', 'tsx', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, url: line.toString().trim() };
};

describe('the database launcher', () => {
  it('holds a quarter of the memory, from 128 MB to 2 GB', () => {
    const GB = 2 ** 30;
    const pagesAt = (memory: number) => sized(memory)[0];
    expect([0.25, 1, 4, 64].map((gb) => pagesAt(gb * GB))).toEqual([
      'shared_buffers=128MB',
      'shared_buffers=256MB',
      'shared_buffers=1024MB',
      'shared_buffers=2048MB',
    ]);
  });

  it('adopts the server that a killed process left running, without losing data', async () => {
    const dataDir = join(root, 'adopt');
    const first = await opener(dataDir);
    await ask(first.url, 'create table promise (kept int); insert into promise values (1)');
    await expect(openDatabase({ dataDir })).rejects.toThrow(AlreadyOwned);
    const shared = await openDatabase({ dataDir, share: true });
    expect(shared.url).toBe(first.url);
    expect(await ask(first.url, 'show wal_compression')).toEqual([{ wal_compression: 'pglz' }]);

    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    const second = await openDatabase({ dataDir });
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, 'select * from promise')).toEqual([{ kept: 1 }]);

    const server = runningServer(join(dataDir, 'postgres'));
    await second.stop();
    expect(isAlive(server?.pid ?? 0)).toBe(false);
  });

  it('runs two side by side, each with its own password, reachable from this machine only', async () => {
    const [one, two] = await Promise.all([
      openDatabase({ dataDir: join(root, 'one') }),
      openDatabase({ dataDir: join(root, 'two') }),
    ]);
    try {
      expect(new URL(one.url).port).not.toBe(new URL(two.url).port);
      expect(new URL(one.url).password).not.toBe(new URL(two.url).password);
      expect(statSync(join(root, 'one/secrets/postgres-password')).mode & 0o777).toBe(0o600);
      const wrong = new URL(one.url);
      wrong.password = 'guess';
      await expect(ask(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
      expect(
        await ask(
          one.url,
          `select current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets`,
        ),
      ).toEqual([{ listen: '127.0.0.1', sockets: '' }]);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });

  it('starts the server again on the same port when it dies', async () => {
    const dataDir = join(root, 'one');
    const database = await openDatabase({ dataDir });
    try {
      process.kill(runningServer(join(dataDir, 'postgres'))?.pid ?? 0, 'SIGKILL');
      await expect
        .poll(() => ask(database.url, 'select 1 as one').catch(() => 'gone'), { timeout: 30_000 })
        .toEqual([{ one: 1 }]);
    } finally {
      await database.stop();
    }
  });

  it('starts although a stale lock names a pid that now belongs to another program', async () => {
    const dataDir = join(root, 'one');
    writeFileSync(
      join(dataDir, 'owner.lock'),
      JSON.stringify({ pid: process.ppid, born: 'long ago', address: null }),
    );
    writeFileSync(
      join(dataDir, 'postgres/data/postmaster.pid'),
      `${process.ppid}\n${dataDir}\n0\n1\n\n127.0.0.1\n\nready\n`,
    );
    await (await openDatabase({ dataDir })).stop();
  });

  it('rejects data of another version before touching it, with advice', async () => {
    const dataDir = join(root, 'two');
    const file = join(dataDir, 'postgres/data/PG_VERSION');
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, '9\n');
    await expect(openDatabase({ dataDir })).rejects.toThrow(
      /created by PostgreSQL 9.*Install PostgreSQL 9, set DATABASE_URL, or start with an empty DATA_DIR/,
    );
    writeFileSync(file, before);
  });

  it('explains in one line why a DATABASE_URL can’t be used', async () => {
    await expect(
      openDatabase({ dataDir: root, url: 'postgres://nobody@127.0.0.1:1/none' }),
    ).rejects.toThrow(/^DATABASE_URL can’t be used: .*ECONNREFUSED/);
  });
});
