import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '../platform/migrate.ts';
import { checkSecret } from '../platform/secret-check.ts';
import type { Settings } from '../platform/settings.ts';
import { forwardOutput } from './supervisor-log.ts';
import { uncompiledServer, type ServerCode } from './server-build.ts';

const root = join(import.meta.dirname, '../../..');
type LogLine = (line: string) => void;

/**
 * Creates the tables, then the demo data when the database has no company.
 * @param embedded the database is ours alone, in `dataDir`
 * @param code runs the seed; it may still be compiling
 */
export async function prepareDatabase(
  settings: Settings & { databaseUrl: string },
  embedded: boolean,
  log: LogLine,
  signal?: AbortSignal,
  code?: Promise<() => ServerCode>,
): Promise<void> {
  const { databaseUrl, dataDir } = settings;
  const unfinished = join(dataDir, 'demo.unfinished');
  // Left by a start that was killed halfway: nobody has used it yet, and half a demo is of no use.
  if (settings.demo && embedded && existsSync(unfinished)) await resetInstallation(settings);

  const { applied } = await migrate(databaseUrl, undefined, log);
  await checkSecret(databaseUrl, settings.appSecrets);
  if (applied.length > 0)
    log(`Database updated: ${applied.length} ${applied.length === 1 ? 'migration' : 'migrations'}`);
  if (
    !settings.demo ||
    !existsSync(join(root, 'server/seeds/demo.ts')) ||
    (await oldestCompanyName(databaseUrl)) !== null
  )
    return;

  log('Creating demo data …');
  const startedAt = performance.now();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(unfinished, '');
  await runSeed(settings, (await code)?.() ?? uncompiledServer, signal);
  rmSync(unfinished);
  log(`Demo data created in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** Deletes every row and file of this installation; its secrets stay. */
export async function resetInstallation({
  databaseUrl,
  dataDir,
}: {
  databaseUrl: string;
  dataDir: string;
}): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select nspname as name
        from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'`,
    );
    for (const { name } of rows)
      await client.query(`drop schema ${client.escapeIdentifier(name)} cascade`);
    await client.query('create schema public');
  } finally {
    await client.end();
  }
  for (const name of ['files', 'media', 'trouble.json', 'demo.unfinished'])
    rmSync(join(dataDir, name), { recursive: true, force: true });
}

/** Name of the oldest company; null while there is none. */
export async function oldestCompanyName(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Row-level security hides every row from other roles, including an owner who is not a
    // superuser.
    await client.query('set role trunkline_system');
    const { rows } = await client.query<{ name: string }>(
      'select name from company order by id limit 1',
    );
    return rows[0]?.name ?? null;
  } finally {
    await client.end();
  }
}

function runSeed(
  settings: Settings & { databaseUrl: string },
  code: ServerCode,
  signal?: AbortSignal,
): Promise<void> {
  const env = {
    ...process.env,
    DATABASE_URL: settings.databaseUrl,
    DATA_DIR: settings.dataDir,
    PUBLIC_URL: settings.publicUrl,
    LOG_LEVEL: 'warn',
  };
  const child = spawn(process.execPath, [...code.nodeArgs, code.file('seed')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  });
  forwardOutput('seed', child.stdout);
  forwardOutput('seed', child.stderr);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(
            new Error(
              'Couldn’t create demo data; see the reason above. DEMO=0 npm start starts without it',
            ),
          ),
    );
  });
}
