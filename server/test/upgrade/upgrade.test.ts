/**
 * A database of 0.1 becomes one of this version by the operator's commands while people work, and
 * goes back to what it was by the backup of before. docs/deploy.md promises it.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServices, createWebServer } from '../../src/app.ts';
import { migrationNames } from '../../src/platform/migrate.ts';
import { openDatabase } from '../../src/platform/postgres/index.ts';
import { databaseLogins } from '../../src/platform/roles.ts';
import { readSettings } from '../../src/settings.ts';
import { createTestDatabase } from '../support/test-database.ts';
import {
  catalogOf,
  columnsOf,
  hashRows,
  loadOldDatabase,
  lostRows,
  oldMigrations,
  withClient,
} from './old-database.ts';
import { workAsBefore } from './old-work.ts';

const root = join(import.meta.dirname, '../../..');
const scratch = mkdtempSync(join(tmpdir(), 'trunkline-upgrade-'));
chmodSync(scratch, 0o711);
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
const folder = (name: string) => {
  const path = join(scratch, name);
  mkdirSync(path, { recursive: true, mode: 0o711 });
  return path;
};

const dataDir = folder('installation');
const backups = folder('backups');
let database: Awaited<ReturnType<typeof openDatabase>>;
type Columns = Awaited<ReturnType<typeof columnsOf>>;
let oldColumns: Columns;
let newColumns: Columns;
beforeAll(async () => {
  database = await openDatabase({ dataDir });
  await loadOldDatabase(database.url, join(dataDir, 'files'));
  oldColumns = await columnsOf(database.url);
  newColumns = await columnsOf(await createTestDatabase());
});
afterAll(() => database.stop());

/** As the operator types it: `npm run NAME -- ARGS`. Gives what it said. */
async function command(place: string, name: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', `tools/${name}.ts`, ...args], {
    cwd: root,
    env: { ...process.env, DATA_DIR: place, BACKUP_PASSPHRASE: 'only the operator knows' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}: ${said}`);
  return said;
}

const recorded = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>('select name from migration');
    return rows.map(({ name }) => name).sort();
  });

/** What the queue has still to do, and when. */
const waitingJobs = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      'select task_identifier, key, run_at from graphile_worker.jobs order by id',
    );
    return rows;
  });

test('what 0.1 writes is still accepted: no column of it is gone, of another type, or newly required', () => {
  const key = ({ table, name }: Columns[number]) => `${table}.${name}`;
  const now = new Map(newColumns.map((column) => [key(column), column]));
  const then = new Map(oldColumns.map((column) => [key(column), column]));
  const tables = new Set(oldColumns.map(({ table }) => table));
  const changed = oldColumns.filter((column) => {
    const next = now.get(key(column));
    return next?.type !== column.type || (column.nullable && !next.nullable);
  });
  expect(changed.map(key)).toEqual([]);
  const required = newColumns.filter(
    (column) => column.required && tables.has(column.table) && !then.get(key(column))?.required,
  );
  expect(required.map(key)).toEqual([]);
});

test(
  'a database of 0.1 is upgraded while people work, and goes back',
  { timeout: 300_000 },
  async () => {
    expect(await recorded(database.url)).toHaveLength(oldMigrations);
    const before = await hashRows(database.url, oldColumns);
    const waiting = await waitingJobs(database.url);
    expect(waiting.length).toBeGreaterThan(0);
    expect(before.get('call')?.length).toBe(658);
    const said = await command(dataDir, 'backup', backups, '--check');
    expect(said).toContain('A copy was started from it, and holds the same rows and files');

    // 1. Upgrade, with what people and carriers do meanwhile.
    const work = await workAsBefore(database.url);
    const applied = await command(dataDir, 'migrate');
    const done = await work.stop();
    expect(applied).toContain('Applied 021_mfa.sql');
    expect(done.failures).toEqual([]);
    expect(done.rounds).toBeGreaterThan(20);
    // Each migration holds its tables for its own length only.
    expect(done.longestMs).toBeLessThan(5_000);

    // 2. Nothing is lost or changed but what a migration adds to: where statistics come from.
    expect(await recorded(database.url)).toEqual(await migrationNames());
    const after = await hashRows(database.url, oldColumns);
    expect(lostRows(before, after)).toEqual({ transcription: 9 });
    expect((after.get('call')?.length ?? 0) - 658).toBe(done.written.calls);
    const added = await withClient(database.url, async (client) => {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int n from conversation_item where text like 'written during the upgrade%'`,
      );
      return rows[0]?.n;
    });
    expect(added).toBe(done.written.texts);
    expect(await waitingJobs(database.url)).toEqual(waiting);
    // The way does not matter: the tables are those of a new installation.
    expect(await catalogOf(database.url)).toEqual(await catalogOf(await createTestDatabase()));
    expect(await command(dataDir, 'migrate')).toContain('The database is up to date');

    // 3. This version shows what was there before, to the people of then.
    await seeOldRows(database.url, dataDir);

    // 4. Back: the backup of before, on another machine.
    const place = folder('back');
    const [name = ''] = /trunkline-[\dTZ-]+/.exec(said) ?? [];
    expect(await command(place, 'restore', name, '--from', backups)).toContain('Restored into');
    const copy = await openDatabase({ dataDir: place });
    try {
      expect(await recorded(copy.url)).toHaveLength(oldMigrations);
      expect(await columnsOf(copy.url)).toEqual(oldColumns);
      const back = await hashRows(copy.url, oldColumns);
      expect(lostRows(before, back)).toEqual({});
      expect(lostRows(back, before)).toEqual({});
    } finally {
      await copy.stop();
    }
  },
);

/** Signs in with passwords of then, in two companies, and looks for a call and a conversation. */
async function seeOldRows(url: string, place: string): Promise<void> {
  const settings = readSettings({ DATABASE_URL: url, DATA_DIR: place, LOG_LEVEL: 'silent' });
  const services = await createServices(settings, 'web', {
    logins: await databaseLogins(url, settings.appSecret),
  });
  const server = await createWebServer(services);
  try {
    await server.ready();
    const ask = async <T>(path: string, token?: string, payload?: object): Promise<T> => {
      const answer = await server.inject({
        ...(payload ? { method: 'POST', payload } : { method: 'GET' }),
        url: path,
        headers: token ? { authorization: `Bearer ${token}` } : {},
      });
      if (answer.statusCode >= 300)
        throw new Error(`${path} answered ${answer.statusCode}: ${answer.body}`);
      return answer.json<T>();
    };
    const { token } = await ask<{ token: { access_token: string } }>(
      '/api/sanctum/login',
      undefined,
      { email: 'orgadmin@demo.test', password: 'trunkline-demo' },
    );
    const { rows } = await withClient(url, (client) =>
      client.query<Record<'call' | 'company' | 'conversation' | 'party', string>>(
        `select distinct on (company_id) id "call", company_id company,
            conversation_id conversation, party
          from call where conversation_id is not null order by company_id, started_at limit 2`,
      ),
    );
    expect(rows).toHaveLength(2);
    for (const { call, company, conversation, party } of rows) {
      const found = await ask<object>(`/api/calls/${call}`, token.access_token);
      expect(JSON.stringify(found)).toContain(party);
      const search = `/api/calls/search?company_id=${company}&q=${party.slice(2)}`;
      const { data: matches } = await ask<{ data: object[] }>(search, token.access_token);
      expect(matches.length).toBeGreaterThan(0);
      const of = `/api/companies/${company}/conversations/${conversation}`;
      const { data: items } = await ask<{ data: object[] }>(`${of}/items`, token.access_token);
      expect(items.length).toBeGreaterThan(0);
    }
  } finally {
    await server.close();
    await services.close();
  }
}
