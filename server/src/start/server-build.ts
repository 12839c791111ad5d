/**
 * The server's processes run compiled: loading 900 TypeScript files through tsx takes each of them
 * several seconds at every start. A build holds exactly one state of the sources and never changes,
 * so that a process that restarts runs the same code, whatever another start of this checkout
 * builds meanwhile.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { hashSources } from './source-hash.ts';

const repoRoot = join(import.meta.dirname, '../../..');

/** The entry points of our processes. */
const entryPoints = {
  main: 'server/src/main.ts',
  exitWithParent: 'server/src/start/exit-with-parent.ts',
  seed: 'server/seeds/seed.ts',
  thread: 'server/src/thread.ts',
};
/** The sources of the build; a change in any of them requires a new build. */
const sources = [
  'server/src',
  'server/seeds',
  'contract/src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
/**
 * Packages bundled into the build: hundreds of small files each, a third of the loading time. All
 * others stay in node_modules.
 */
const bundledPackages = ['kysely', 'zod'];
/** Builds that are kept: other processes of this checkout may still run from the previous one. */
const keptBuilds = 4;

/** How node runs our processes. */
export interface ServerCode {
  /** Arguments for node. */
  nodeArgs: string[];
  /** The file a process starts with. */
  file(name: keyof typeof entryPoints): string;
}

/** Runs the sources through tsx. */
export const uncompiledServer: ServerCode = {
  nodeArgs: ['--import', import.meta.resolve('tsx')],
  file: (name) => join(repoRoot, entryPoints[name]),
};

/**
 * Compiles the server unless this state is compiled already.
 * @param log receives the reason when compiling fails and the sources are run instead
 * @returns the code to run; call it for each process, because a build that was deleted is replaced
 * by the sources
 */
export async function compiledServer(
  log: (line: string) => void,
  root = repoRoot,
): Promise<() => ServerCode> {
  const code = join(
    root,
    'server/dist',
    createHash('sha256')
      .update(`${root}\n${hashSources(root, sources)}`)
      .digest('hex')
      .slice(0, 16),
  );
  const compiled: ServerCode = {
    nodeArgs: ['--enable-source-maps'],
    file: (name) => join(code, `${name}.js`),
  };
  try {
    if (!existsSync(code)) await compile(root, code);
    else markUsed(code);
  } catch (error) {
    log(
      `The server couldn’t be compiled and runs from its sources, which starts slowly: ${error instanceof Error ? error.message.trim() : String(error)}`,
    );
  }
  return () => (existsSync(compiled.file('main')) ? compiled : uncompiledServer);
}

async function compile(root: string, code: string): Promise<void> {
  const { build, stop } = await import('esbuild');
  // Two starts may compile at once: each in its own folder, and the first one wins.
  const temporaryDir = `${code}-${process.pid}`;
  mkdirSync(dirname(code), { recursive: true });
  try {
    await build({
      absWorkingDir: root,
      entryPoints: Object.entries(entryPoints).map(([out, path]) => ({ in: path, out })),
      outdir: temporaryDir,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      external: externalPackages(root),
      keepNames: true,
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'silent',
      define: { COMPILED: 'true' },
      plugins: [keepSourcePaths],
    });
    try {
      renameSync(temporaryDir, code);
    } catch (error) {
      if (!existsSync(code)) throw error;
    }
    removeOldBuilds(dirname(code));
  } finally {
    rmSync(temporaryDir, { recursive: true, force: true });
    await stop();
  }
}

function externalPackages(root: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(dependencies)
    .filter((name) => !bundledPackages.includes(name))
    .flatMap((name) => [name, `${name}/*`]);
}

/**
 * Migrations, seeds, prompts and helpers are found beside the source, wherever the compiled code
 * is.
 */
const keepSourcePaths: Plugin = {
  name: 'where-the-source-is',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const written = await readFile(path, 'utf8');
      const meta: Record<string, string> = {
        dirname: dirname(path),
        filename: path,
        url: pathToFileURL(path).href,
      };
      return {
        loader: 'ts',
        contents: written.replace(/\bimport\.meta\.(dirname|filename|url)\b/g, (_, name: string) =>
          JSON.stringify(meta[name]),
        ),
      };
    });
  },
};

/** Deletes all but the most recently used builds, and what a killed start left behind. */
function removeOldBuilds(folder: string): void {
  const builds = readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, used: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { path } of builds.sort((a, b) => b.used - a.used).slice(keptBuilds))
    rmSync(path, { recursive: true, force: true });
}

function markUsed(code: string): void {
  try {
    utimesSync(code, new Date(), new Date());
  } catch {
    // Somebody else's checkout: whoever builds there also clears away.
  }
}
