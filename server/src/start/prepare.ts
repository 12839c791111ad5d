import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { migrate } from '../platform/migrate.ts';
import type { Settings } from '../platform/settings.ts';

/** Tables, then the demo world when there is nobody yet. */
export async function prepare(url: string, settings: Settings, say: (line: string) => void): Promise<void> {
  const { applied } = await migrate(url);
  if (applied.length > 0) say(`Database brought up to date: ${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'}`);
  const seeds = join(import.meta.dirname, '../../seeds/demo.ts');
  if (!settings.demo || !existsSync(seeds) || (await firstCompany(url)) !== null) return;
  const since = performance.now();
  const { seedDemo } = (await import(pathToFileURL(seeds).href)) as { seedDemo(url: string, settings: Settings): Promise<unknown> };
  await seedDemo(url, settings);
  say(`Demo world made in ${((performance.now() - since) / 1000).toFixed(1)} s`);
}

/** Name of the oldest company; null while there is nobody. */
export async function firstCompany(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Row-level security hides every row from anybody else, an owner who is no superuser included.
    await client.query('set role trunkline_system');
    const { rows } = await client.query<{ name: string }>('select name from company order by id limit 1');
    return rows[0]?.name ?? null;
  } finally {
    await client.end();
  }
}
