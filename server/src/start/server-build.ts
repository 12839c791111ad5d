/**
 * The processes of the server run compiled: loading 900 files of TypeScript through tsx costs each of them several seconds, at
 * the first start and after every kill. One build holds exactly one state of the sources and is never changed, so that a process
 * which ends comes back as what it was, whatever another start of this checkout builds meanwhile.
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

/** What a process of ours can begin with. */
const entryPoints = {
  main: 'server/src/main.ts',
  exitWithParent: 'server/src/start/exit-with-parent.ts',
  seed: 'server/src/start/seed.ts',
  thread: 'server/src/thread.ts',
};
/** What these are made of; a change in any of it means a new build. */
const sources = [
  'server/src',
  'server/seeds',
  'contract/src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
/** Packages that go into the build: hundreds of small files each, a third of what loading takes. All others stay in node_modules. */
const bundledPackages = ['kysely', 'zod'];
/** Builds that stay: others of this checkout may run from the one before. */
const keptBuilds = 4;

/** How node runs our processes. */
export interface ServerCode {
  /** Arguments for node. */
  nodeArgs: string[];
  /** The file a process begins with. */
  file(name: keyof typeof entryPoints): string;
}

/** As they are written. */
export const uncompiledServer: ServerCode = {
  nodeArgs: ['--import', import.meta.resolve('tsx')],
  file: (name) => join(repoRoot, entryPoints[name]),
};

/**
 * The code to run, compiled unless it is already.
 * @param log hears why it runs as it is written instead, when it cannot be compiled
 * @returns asked anew for each process: when the build was cleared away, the sources are still there
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
  // Two starts may compile at once: each aside, and whoever is first stays.
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

/** Migrations, seeds, prompts and helpers are found beside the source, wherever the compiled code lies. */
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

/** All but the builds used last, and what a start left that was ended half-way. */
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
