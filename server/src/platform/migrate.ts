import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { runMigrations } from 'graphile-worker';
import { missingRoles } from './roles.ts';

const folder = new URL('../../migrations/', import.meta.url);

/**
 * The database was created by an unreleased version whose migrations no longer exist (decision
 * 0059).
 */
export class OutdatedDatabaseError extends Error {
  override name = 'OutdatedDatabase';
  constructor() {
    super(
      'This database was created by a version before 1.0 that can’t be upgraded. Start with an empty DATA_DIR (or an empty database at DATABASE_URL), or reset the demo: npm run demo:reset',
    );
  }
}

/** Names of the migrations of this version, in order. */
export const migrationNames = async (): Promise<string[]> =>
  (await readdir(folder)).filter((f) => f.endsWith('.sql')).sort();

/** Which tables this version has: the same text for the same migrations. */
export const schemaVersion = async (): Promise<string> => {
  const names = await migrationNames();
  const hash = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12);
  return `${names.length}-${hash}`;
};

/**
 * Brings a database up to date: plain SQL, forward only, one transaction per file. Safe to run from
 * several processes at once.
 * @returns the names of the files that were applied, in order
 * @throws MissingRolesError, OutdatedDatabaseError before anything is changed
 */
export async function migrate(url: string): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(7201)`);
    const missing = await missingRoles(client);
    if (missing) throw missing;
    await runMigrations({ connectionString: url });
    await client.query(
      `create table if not exists migration (name text primary key,
          at timestamptz not null default now())`,
    );
    const names = await migrationNames();
    const done = await appliedNames(client);
    if ([...done].some((name) => !names.includes(name))) throw new OutdatedDatabaseError();
    const applied: string[] = [];
    for (const name of names) {
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

const appliedNames = async (client: pg.Client) =>
  new Set(
    (await client.query<{ name: string }>('select name from migration')).rows.map((r) => r.name),
  );
