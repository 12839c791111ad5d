import { readdirSync } from 'node:fs';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/support/test-database.ts';
import { migrate } from './migrate.ts';

const files = readdirSync(new URL('../../migrations/', import.meta.url))
  .filter((name) => name.endsWith('.sql'))
  .sort();

/** A migrated database that records these files as applied. */
async function databaseMigratedBy(names: readonly string[]) {
  const url = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('delete from migration');
  await client.query('insert into migration (name) select unnest($1::text[])', [names]);
  const recorded = async () =>
    (
      await client.query<{ name: string }>('select name from migration order by name collate "C"')
    ).rows.map((row) => row.name);
  return { url, recorded };
}
test('a database of an older version is rejected with advice, and left unchanged', async () => {
  const names = ['0001_platform.sql', '0010_identity.sql', ...files.slice(2)];
  const { url, recorded } = await databaseMigratedBy(names);
  await expect(migrate(url)).rejects.toThrow(
    /before 1\.0 that can’t be upgraded.*npm run demo:reset$/,
  );
  expect(await recorded()).toEqual(names);
});

test('a database that a newer version upgraded is left alone, with the way back', async () => {
  const { url, recorded } = await databaseMigratedBy([...files, '900_teleport.sql']);
  await expect(migrate(url)).rejects.toThrow(
    /newer Trunkline has upgraded this database \(900_teleport\.sql\).*restore the backup/,
  );
  expect(await recorded()).toEqual([...files, '900_teleport.sql']);
});

test('a database without the last migration gets it', async () => {
  const { url } = await databaseMigratedBy(files.slice(0, -1));
  const last = files.at(-1)?.replace(/\.sql$/, '') ?? '';
  // What it makes exists already: it succeeds if it replaces, else its error shows that it was run.
  const seen = await migrate(url).then(
    ({ applied }) => applied,
    (error: Error) => [error.message],
  );
  expect(seen).toEqual([expect.stringContaining(last)]);
});

test('a migration whose table a long report reads lets requests pass, and is applied after it', async () => {
  const { url } = await databaseMigratedBy(
    files.filter((name) => name !== '355_ticket_changed_default.sql'),
  );
  const [report, request] = await Promise.all(
    [0, 1].map(async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      onTestFinished(() => client.end());
      return client;
    }),
  );
  await report?.query('begin');
  await report?.query('select count(*) from support_ticket');
  let done = false;
  const migrated = migrate(url).finally(() => (done = true));
  // Reads queue behind a migration that waits, so each is as slow as its wait is long.
  let slowest = 0;
  for (const began = performance.now(); performance.now() - began < 2_000;) {
    const asked = performance.now();
    await request?.query('select count(*) from support_ticket');
    slowest = Math.max(slowest, performance.now() - asked);
  }
  expect(done).toBe(false);
  // It waits for 0.3 s at a time; the rest is a busy machine.
  expect(slowest).toBeLessThan(3_000);
  await report?.query('commit');
  expect(await migrated).toMatchObject({ applied: ['355_ticket_changed_default.sql'] });
});
