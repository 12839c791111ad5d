import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { runMigrations } from 'graphile-worker';
import { buildIndex, leaveLargeIndexes, type IndexBuild } from './index-builds.ts';
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

/** A newer version has upgraded the database; this one would write what that one can't read. */
export class NewerDatabaseError extends Error {
  override name = 'NewerDatabase';
  constructor(migration: string) {
    super(
      `A newer Trunkline has upgraded this database (${migration}). Start that version or a later one. To go back, restore the backup made before the upgrade: docs/deploy.md#upgrade`,
    );
  }
}

/** Other work keeps the tables of a migration from it. Everything is as it was before that one. */
export class BusyTablesError extends Error {
  override name = 'BusyTables';
  constructor(migration: string, holders: string[]) {
    super(
      `Migration ${migration} waited for its tables for ${patienceMs / 60_000} minutes. Try again when this work has ended: ${holders.join(' | ') || 'short transactions, one after another'}`,
    );
  }
}

/** A migration builds on what is still being counted in the background. Everything is as it was before it. */
export class UnfinishedFillError extends Error {
  override name = 'UnfinishedFill';
  constructor(migration: string, { name, done, total }: Fill) {
    super(
      `Migration ${migration} needs all of “${name}”, of which ${done} of ${total} rows are counted. Start the version before this one, wait until the platform’s status page shows it as finished, and upgrade then`,
    );
  }
}

/** Work in the background that an earlier migration began (365_background_fills.sql). */
interface Fill {
  name: string;
  done: number;
  total: number;
}

/**
 * How long a migration waits for a lock before it lets everybody else pass and begins anew, in ms:
 * requests queue behind it. Less than PostgreSQL's second until it looks for deadlocks, so that the
 * migration gives way and no request fails.
 */
const lockMs = 300;
/** How long it tries. A report or a dump may hold a table for minutes. */
const patienceMs = 10 * 60_000;

/** Names of the migrations of this version, in order. */
export const migrationNames = async (from = folder): Promise<string[]> =>
  (await readdir(from)).filter((f) => f.endsWith('.sql')).sort();

/** Which tables this version has: the same text for the same migrations. */
export const schemaVersion = async (): Promise<string> => {
  const names = await migrationNames();
  const hash = createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 12);
  return `${names.length}-${hash}`;
};

/**
 * Brings a database up to date: plain SQL, forward only, one transaction per file, and after it the
 * indexes of large tables, which hold no writes (index-builds.ts). Safe to run from several processes
 * at once, and while the version before works on the database.
 * @param from the folder of the migrations
 * @param log is told of each index that is built on a large table
 * @returns the names of the files that were applied, in order, and what has to be counted in the
 * background, which the job does (background-fills.ts)
 * @throws MissingRolesError, OutdatedDatabaseError, NewerDatabaseError before anything is changed;
 * BusyTablesError, UnfinishedFillError
 */
export async function migrate(
  url: string,
  from = folder,
  log: (line: string) => void = () => {},
): Promise<{ applied: string[]; filling: Fill[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await becomeOnly(client);
    const missing = await missingRoles(client);
    if (missing) throw missing;
    await runMigrations({ connectionString: url });
    await client.query(
      `create table if not exists migration (name text primary key,
          at timestamptz not null default now(),
          unbuilt text[] not null default '{}')`,
    );
    await addUnbuilt(client);
    const names = await migrationNames(from);
    const done = await appliedNames(client);
    const unknown = [...done].filter((name) => !names.includes(name)).sort();
    // Names of four digits were those before the baselines.
    if (unknown.some((name) => /^0\d{3}_/.test(name))) throw new OutdatedDatabaseError();
    if (unknown.length) throw new NewerDatabaseError(unknown.at(-1) ?? '');
    const applied: string[] = [];
    await buildIndexes(client, log);
    for (const name of names) {
      if (done.has(name)) continue;
      const statements = await readFile(new URL(name, from), 'utf8');
      await refuseUnfinished(client, name, statements);
      await apply(client, name, statements);
      applied.push(name);
      await buildIndexes(client, log);
    }
    return { applied, filling: await unfinishedFills(client) };
  } finally {
    await client.end();
  }
}

const unfinishedFills = async (client: pg.Client): Promise<Fill[]> =>
  (
    await client.query<Fill>(
      `select name, done::float8 done, total::float8 total from background_fill
        where finished_at is null order by created_at, name`,
    )
  ).rows;

/** A migration says in its first line what must have been counted before it. */
async function refuseUnfinished(client: pg.Client, name: string, statements: string) {
  const [, needed] = /^-- Needs the fill (\w+)\./.exec(statements) ?? [];
  if (!needed) return;
  const fill = (await unfinishedFills(client)).find((one) => one.name === needed);
  if (fill) throw new UnfinishedFillError(name, fill);
}

/**
 * Waits until no other process brings the database up to date. Asked again and again: a statement that
 * waits for the lock would keep the one that holds it from building an index, which waits for all
 * statements that began before it.
 */
async function becomeOnly(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ is: boolean }>(`select pg_try_advisory_lock(7201) "is"`);
    if (rows[0]?.is) return;
    await pause(lockMs);
  }
}

/** Databases that versions before 390 made know no indexes that are still to be built. */
async function addUnbuilt(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = 'migration'::regclass and attname = 'unbuilt'`,
  );
  if (rowCount) return;
  await patiently(client, 'of the list of migrations', () =>
    client.query(`alter table migration add column unbuilt text[] not null default '{}'`),
  );
}

/** Applies a migration, and notes the indexes that it leaves for after it. */
async function apply(client: pg.Client, name: string, text: string): Promise<void> {
  const { statements, left } = await leaveLargeIndexes(client, text);
  await patiently(client, name, async () => {
    await client.query(statements);
    await client.query('insert into migration (name, unbuilt) values ($1, $2)', [name, left]);
  });
}

/** Builds the indexes that migrations left, one after another. A run that was killed left some, too. */
async function buildIndexes(client: pg.Client, log: (line: string) => void): Promise<void> {
  const { rows } = await client.query<IndexBuild>(
    `select name migration, statement from migration, unnest(unbuilt) with ordinality u(statement, n)
      order by name, n`,
  );
  for (const build of rows) {
    log(`Building an index while work goes on: ${build.statement.split('\n')[0]}`);
    // It waits for whatever began before it, and keeps nobody waiting meanwhile.
    await client.query(`set lock_timeout = ${patienceMs}`);
    try {
      await buildIndex(client, build, (work) => patiently(client, build.migration, work));
    } catch (error) {
      if (isBusy(error)) throw new BusyTablesError(build.migration, await longTransactions(client));
      throw error;
    }
    await client.query('reset lock_timeout');
  }
}

/** Does work in a transaction as soon as nobody else holds what it needs. */
async function patiently(client: pg.Client, name: string, work: () => Promise<unknown>) {
  const began = performance.now();
  for (;;) {
    await client.query('begin');
    try {
      await client.query(`set local lock_timeout = ${lockMs}`);
      await work();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (!isBusy(error))
        throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error });
      if (performance.now() - began > patienceMs)
        throw new BusyTablesError(name, await longTransactions(client));
      await pause(lockMs);
    }
  }
}

/** What may be in the way, without what it reads or writes. */
async function longTransactions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select format('process %s (%s) since %s', pid, coalesce(nullif(application_name, ''), usename),
        to_char(xact_start at time zone 'utc', 'HH24:MI:SS "UTC"')) as text
      from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and xact_start < now() - interval '5 seconds' order by xact_start limit 5`,
  );
  return rows.map(({ text }) => text);
}

/** A lock was not there in time, or two waited for each other. */
const isBusy = (error: unknown): boolean =>
  ['55P03', '40P01'].includes((error as { code?: string }).code ?? '');

const appliedNames = async (client: pg.Client) =>
  new Set(
    (await client.query<{ name: string }>('select name from migration')).rows.map((r) => r.name),
  );
