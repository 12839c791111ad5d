import { readdirSync } from 'node:fs';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../test/support/test-database.ts';
import { migrate } from './migrate.ts';

const files = readdirSync(new URL('../../migrations/', import.meta.url))
  .filter((name) => name.endsWith('.sql'))
  .sort();
const baselines = files.filter((name) => name < '0377');

/** A migrated database that says it was migrated by these files. */
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
/** Named as the files of 0.1 were: some names are those of baselines, the others are gone. */
const oldNames = (count: number) => [
  '0001_platform.sql',
  '0010_identity.sql',
  ...Array.from({ length: count - 2 }, (_, i) => `0${100 + i}_of_the_old_version.sql`),
];
const later = files.filter((name) => name >= '0377');

test('a database of the last version before 1.0 goes on from the baselines', async () => {
  const { url, recorded } = await databaseMigratedBy([...oldNames(62), ...later]);
  expect((await migrate(url)).applied).toEqual([]);
  expect(await recorded()).toEqual(files);
  expect((await migrate(url)).applied).toEqual([]);
});

test('an older one is refused with a sentence that says what to do, and is left as it was', async () => {
  const names = oldNames(61);
  const { url, recorded } = await databaseMigratedBy(names);
  await expect(migrate(url)).rejects.toThrow(
    /before 1\.0 that can’t be upgraded.*npm run demo:reset$/,
  );
  expect(await recorded()).toEqual(names);
});

test('a database with some of the baselines is no old one: the next baseline is applied', async () => {
  const { url } = await databaseMigratedBy(baselines.slice(0, -1));
  // The tables of the last one are there already, which shows that it was tried.
  await expect(migrate(url)).rejects.toThrow(new RegExp(`^migration ${baselines.at(-1)}: `));
});
