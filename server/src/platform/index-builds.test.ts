import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/support/test-database.ts';
import { readStatement } from './index-builds.ts';
import { migrate, migrationNames } from './migrate.ts';

const folder = new URL('../../migrations/', import.meta.url);
const texts = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .map((name) => ({
    name,
    text: readFileSync(new URL(name, folder), 'utf8').replaceAll(/--.*/g, ''),
  }));

/** What a migration says on indexes that would hold writes, or that the runner can't take out. */
function refused(text: string): string[] {
  const made = new Set(
    [...text.matchAll(/create table (?:if not exists )?([\w.]+)/g)].map((m) => m[1]),
  );
  const plain = [
    ...text.matchAll(/create (?:unique )?index (?!concurrently)[^;]*?\son\s+(\S+)[^;]*/g),
  ];
  const unique = [
    ...text.matchAll(
      /alter table (?:only )?(\S+)[^;]*? add (?:constraint \w+ )?(?:unique|primary key|exclude)\b[^;]*/g,
    ),
  ];
  const concurrent = [...text.matchAll(/^.*\bindex concurrently\b[^;]*;?/gm)].map(
    ([found]) => found,
  );
  return [
    ...[...plain, ...unique]
      .filter(([, table = '']) => !made.has(table) && !table.startsWith('%'))
      .map(([found]) => found),
    ...concurrent.filter((found) => {
      const wanted = readStatement(found);
      return !wanted || made.has(wanted.table) || `${wanted.name}_new`.length > 63;
    }),
  ];
}

test('a migration builds indexes of tables that were there before it concurrently', () => {
  const found = texts.flatMap(({ name, text }) => refused(text).map((what) => `${name}: ${what}`));
  expect(found).toEqual([]);
});

test.each([
  'create index call_x on call (id);',
  'create unique index call_x\n  on call (id);',
  'alter table call add unique (id);',
  'alter table call add note text, add constraint call_x unique (id);',
  'do $$ begin\n  create index concurrently call_x on call (id);\nend $$;',
  'create table x (id int); create index concurrently x_id on x (id);',
  'create table x (id int);\ncreate index concurrently x_id on x (id);',
])('refused in a migration: %s', (text) => expect(refused(text)).toHaveLength(1));

test.each([
  'create table x (id int); create index x_id on x (id);',
  'create unique index concurrently call_x\n  on call (id) where id > 1;',
])('taken in a migration: %s', (text) => expect(refused(text)).toEqual([]));

/** A table of more than 4 MB, with an index; its new index is built as soon as `go` is called. */
async function largeTable(rows = 40_000) {
  const url = await createTestDatabase();
  const [owner, gate] = await Promise.all(
    [0, 1].map(async () => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => {});
      await client.connect();
      onTestFinished(() => client.end());
      return client;
    }),
  );
  await owner!.query(`
    create table growing (id int not null, note text not null);
    create index growing_note on growing (id);
    create function waits(text) returns text immutable language plpgsql as $$
      begin perform pg_advisory_lock_shared(4711), pg_advisory_unlock_shared(4711); return $1; end $$`);
  await owner!.query(
    `insert into growing select i, repeat('x', 200) from generate_series(1, $1::int) i`,
    [rows],
  );
  await gate!.query('select pg_advisory_lock(4711)');
  const scratch = mkdtempSync(join(tmpdir(), 'trunkline-index-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  for (const name of await migrationNames())
    symlinkSync(new URL(name, folder), join(scratch, name));
  writeFileSync(
    join(scratch, '990_index.sql'),
    `create table beside (id int);
create index concurrently growing_note on growing (waits(note), id)
  where id > 0;
insert into beside values (1);`,
  );
  const one = async <T>(text: string) => (await owner!.query<{ it: T }>(text)).rows[0]!.it;
  return {
    url,
    from: pathToFileURL(`${scratch}/`),
    owner: owner!,
    go: () => gate!.query('select pg_advisory_unlock(4711)'),
    one,
    index: () => one<string>(`select pg_get_indexdef('growing_note'::regclass) it`),
    indexes: () =>
      one<number>(`select count(*)::int it from pg_index where indrelid = 'growing'::regclass`),
    builder: () =>
      one<number | null>(
        `select max(pid) it from pg_stat_activity where datname = current_database()
          and query like 'create index concurrently growing_note_new%' and wait_event = 'advisory'`,
      ),
  };
}

test('while an index is built, writes go on and the index of before serves', async () => {
  const { url, from, owner, go, one, index, indexes, builder } = await largeTable();
  let done = false;
  const said: string[] = [];
  const first = migrate(url, from, (line) => said.push(line)).finally(() => (done = true));
  await expect.poll(builder).not.toBeNull();
  // Another process that starts meanwhile waits, and doesn't get in its way.
  const second = migrate(url, from);
  await owner.query(`set lock_timeout = '5s'`);
  await owner.query(`insert into growing values (-1, ''), (100000, 'new')`);
  await owner.query(`update growing set note = 'other' where id = 1`);
  expect(done).toBe(false);
  expect(await index()).toContain('USING btree (id)');
  // What its transaction did is there already, and the rest isn't forgotten if this process ends.
  expect(await one(`select unbuilt[1] it from migration where name = '990_index.sql'`)).toContain(
    'create index concurrently growing_note on growing (waits(note), id)',
  );
  await go();
  expect((await first).applied).toEqual(['990_index.sql']);
  expect((await second).applied).toEqual([]);
  expect(said).toEqual([expect.stringContaining('create index concurrently growing_note')]);
  expect(await index()).toContain('(waits(note), id) WHERE (id > 0)');
  expect(await indexes()).toBe(1);
  expect(
    await one(`select cardinality(unbuilt) it from migration where name = '990_index.sql'`),
  ).toBe(0);
  expect(await one(`select indisvalid it from pg_index where indrelid = 'growing'::regclass`)).toBe(
    true,
  );
});

test('an index whose build was broken off is dropped and built again', async () => {
  const { url, from, go, one, index, indexes, builder } = await largeTable();
  const broken = migrate(url, from).then(
    () => 'finished',
    (error: Error) => error.message,
  );
  await expect.poll(builder).not.toBeNull();
  await one(`select pg_terminate_backend(${await builder()}) it`);
  expect(await broken).not.toBe('finished');
  expect(
    await one(`select indisvalid it from pg_index where indexrelid = 'growing_note_new'::regclass`),
  ).toBe(false);
  expect(await index()).toContain('USING btree (id)');
  await go();
  // Its transaction isn't done twice.
  expect((await migrate(url, from)).applied).toEqual([]);
  expect(await one('select count(*)::int it from beside')).toBe(1);
  expect(await index()).toContain('(waits(note), id) WHERE (id > 0)');
  expect(await indexes()).toBe(1);
  expect(await one(`select indisvalid it from pg_index where indrelid = 'growing'::regclass`)).toBe(
    true,
  );
});

test('a small table gets its index in the transaction of the migration', async () => {
  const { url, from, go, index, indexes } = await largeTable(10);
  await go();
  const said: string[] = [];
  expect((await migrate(url, from, (line) => said.push(line))).applied).toEqual(['990_index.sql']);
  expect(said).toEqual([]);
  expect(await index()).toContain('(waits(note), id) WHERE (id > 0)');
  expect(await indexes()).toBe(1);
});
