import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** PostgreSQL's own tools for dumps are not here, or older than the server. */
class NoDumpToolsError extends Error {
  override name = 'NoDumpTools';
  constructor(tool: string, major: number) {
    super(
      `${tool} ${major} or later is needed to back up your PostgreSQL ${major}, and isn’t here. Install it (apt-get install postgresql-client), or back the database up with tools of your own (docs/backup.md)`,
    );
  }
}

/** A connection without the password among the arguments, which every user of the machine can read. */
function connection(url: string): { args: string[]; env: NodeJS.ProcessEnv } {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  return {
    args: [`--dbname=${address.href}`],
    env: { ...process.env, ...(password && { PGPASSWORD: password }) },
  };
}

/** The newest of a tool's versions here, at least `major`. */
function find(tool: 'pg_dump' | 'pg_restore', major: number): string {
  const debian = '/usr/lib/postgresql';
  const candidates = [
    ...(existsSync(debian) ? readdirSync(debian) : [])
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join(debian, version, 'bin', tool)),
    tool,
  ];
  const usable = candidates.find((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
    return Number(/(\d+)/.exec(stdout ?? '')?.[1] ?? 0) >= major;
  });
  if (!usable) throw new NoDumpToolsError(tool, major);
  return usable;
}

/**
 * A dump of a database of the operator's own, in the custom format of `pg_dump`, from one snapshot.
 * Row-level security stays on, because its owner is no superuser; the owner is a member of the
 * system role, which sees every row.
 * @param major version of the server
 * @throws NoDumpTools
 */
export function dump(url: string, major: number): Readable {
  const { args, env } = connection(url);
  const child = spawn(
    find('pg_dump', major),
    [...args, '--format=custom', '--no-owner', '--enable-row-security'],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const complaint = collect(child.stderr);
  child.on('error', (error) => child.stdout.destroy(error));
  child.on('exit', (code) => {
    if (code !== 0) child.stdout.destroy(new Error(`pg_dump failed: ${complaint()}`));
  });
  return child.stdout;
}

/**
 * Loads such a dump into an empty database, all of it or nothing.
 * @param major version of the server it was made at
 * @throws NoDumpTools, Error with what `pg_restore` said
 */
export async function loadDump(content: Readable, url: string, major: number): Promise<void> {
  const { args, env } = connection(url);
  const child = spawn(find('pg_restore', major), [...args, '--no-owner', '--single-transaction'], {
    env,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const complaint = collect(child.stderr);
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`pg_restore failed: ${complaint()}`)),
    );
  });
  // Where it gave up reading, what it said is the reason, not the broken pipe.
  await Promise.all([ended, pipeline(content, child.stdin).catch(() => ended)]);
}

/** The last lines that a program complains with. */
function collect(stream: Readable): () => string {
  let said = '';
  stream.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  return () => said.trim() || 'no output';
}
