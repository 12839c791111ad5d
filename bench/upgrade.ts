import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { migrate, migrationNames } from '../server/src/platform/migrate.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { loadOldDatabase, withClient } from '../server/test/upgrade/old-database.ts';
import { workAsBefore } from '../server/test/upgrade/old-work.ts';
import { fmt } from './kit.ts';

/**
 * A large database of 0.1 is upgraded while two companies work as that version does: how long a call
 * or a text waits at most, with the indexes built inside the migrations' transactions, and outside.
 *
 * `UPGRADE_CALLS` (1,000,000) calls and as many items of conversations; `UPGRADE_FOLDER` for the files.
 */
const size = Number(process.env['UPGRADE_CALLS'] ?? 1_000_000);
const root = mkdtempSync(
  join(process.env['UPGRADE_FOLDER'] ?? tmpdir(), 'trunkline-bench-upgrade-'),
);
chmodSync(root, 0o711);
const place = (name: string) => {
  const path = join(root, name);
  mkdirSync(path, { mode: 0o711 });
  return path;
};
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`;

/** Copies of the rows there are, of this many in all, without what triggers would add to them. */
async function multiply(client: pg.Client, table: string, except: string[] = []): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname name from pg_attribute where attrelid = $1::regclass and attnum > 0
      and not attisdropped and attgenerated = ''`,
    [table],
  );
  const columns = rows
    .map(({ name }) => name)
    .filter((name) => name !== 'id' && !except.includes(name));
  await client.query(`alter table ${table} disable trigger user`);
  await client.query(
    `insert into ${table} (${columns.join(', ')}) select ${columns.map((name) => `t.${name}`).join(', ')}
      from ${table} t, generate_series(1, $1::int / (select count(*)::int from ${table}))`,
    [size],
  );
  await client.query(`alter table ${table} enable trigger user`);
}

const filled = place('filled');
const began = performance.now();
const database = await openDatabase({ dataDir: filled });
await loadOldDatabase(database.url, join(filled, 'files'));
await withClient(database.url, async (client) => {
  await multiply(client, 'call');
  await multiply(client, 'conversation_item', ['source', 'carrier_id']);
  await client.query(
    `insert into call_search_text (company_id, call_id, number_id, started_at, party, words, agent, client)
      select company_id, id, number_id, started_at, party,
        to_tsvector('english', party || ' ' || id % 5000), '', ''
      from call on conflict do nothing`,
  );
  await client.query('vacuum analyze');
});
await database.stop();
console.log(`${size.toLocaleString('en-US')} calls and items of 0.1 made in ${seconds(began)}`);

/** The migrations as they would be without `concurrently`. */
async function migrationsThatHold(): Promise<URL> {
  const from = new URL('../server/migrations/', import.meta.url);
  const to = place('migrations');
  for (const name of await migrationNames())
    writeFileSync(
      join(to, name),
      readFileSync(new URL(name, from), 'utf8').replaceAll(
        /^create (unique )?index concurrently (\w+)/gm,
        'drop index if exists $2;\ncreate $1index $2',
      ),
    );
  return pathToFileURL(`${to}/`);
}

const ways = { outside: undefined, 'inside the transactions': await migrationsThatHold() };
for (const [name, from] of Object.entries(ways)) {
  const dataDir = place(name.replaceAll(' ', '-'));
  execFileSync('cp', ['-a', `${filled}/.`, dataDir]);
  const copy = await openDatabase({ dataDir });
  const work = await workAsBefore(copy.url, { apart: true });
  const at = performance.now();
  let built = 0;
  const failure = await migrate(copy.url, from, () => built++).then(
    () => '',
    (error: Error) => ` until it gave up (${error.message})`,
  );
  const took = seconds(at);
  const { longestMs, rounds, failures } = await work.stop();
  console.log(
    `indexes built ${name}: all steps took ${took}${failure}, ${built} indexes outside; ${rounds} calls and texts written meanwhile, the slowest waited ${fmt(longestMs)} ms, ${failures.length} failed${failures[0] ? `: ${failures[0]}` : ''}`,
  );
  await copy.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
rmSync(root, { recursive: true, force: true });
