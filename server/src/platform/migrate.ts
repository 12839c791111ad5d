import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { runMigrations } from 'graphile-worker';
import { missingRoles } from './roles.ts';

const folder = new URL('../../migrations/', import.meta.url);

/** Bring a database up to date: plain SQL, forward only, one transaction a file. Safe to run from several processes at once. Throws MissingRoles before anything is changed. */
export async function migrate(url: string): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(7201)`);
    const missing = await missingRoles(client);
    if (missing) throw missing;
    await runMigrations({ connectionString: url, logger: undefined as never });
    await client.query(
      `create table if not exists migration (name text primary key, at timestamptz not null default now())`,
    );
    const done = new Set(
      (await client.query<{ name: string }>('select name from migration')).rows.map((r) => r.name),
    );
    const applied: string[] = [];
    for (const name of (await readdir(folder)).filter((f) => f.endsWith('.sql')).sort()) {
      if (done.has(name)) continue;
      await client.query('begin');
      try {
        await client.query(await readFile(new URL(name, folder), 'utf8'));
        await client.query('insert into migration (name) values ($1)', [name]);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error });
      }
      applied.push(name);
    }
    return { applied };
  } finally {
    await client.end();
  }
}
