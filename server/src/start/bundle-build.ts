import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { hashSources } from './source-hash.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Our browser bundles: the main app, two more that are served under their own paths, the tracking
 * script.
 */
export const bundles = ['web', 'admin', 'caddy', 'snippet'] as const;
export type Bundle = (typeof bundles)[number];

const packages = ['package.json', 'package-lock.json'];
/** The sources of a bundle; a change in any of them requires a new build. */
const sourcesOf = (bundle: Bundle): string[] =>
  bundle === 'snippet'
    ? [bundle, ...packages]
    : [bundle, 'ui', 'contract/src', 'modules.mjs', ...packages];

/** The folder a bundle is built into. */
export const distOf = (bundle: Bundle): string => join(root, bundle, 'dist');
/**
 * Whether the sources of a browser bundle are here; a released image holds only the built files.
 */
export const hasBundleSources = (bundle: Bundle): boolean =>
  existsSync(join(root, bundle, 'vite.config.ts'));
/** Whether a bundle was built from exactly the present sources. */
export function isBuilt(bundle: Bundle, stamp = hashSources(root, sourcesOf(bundle))): boolean {
  const stampFile = join(distOf(bundle), '.sources');
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
}

/**
 * Builds a bundle unless it was built from exactly these sources.
 * @returns the build time in milliseconds, or null when nothing was built
 */
export async function buildBundle(
  bundle: Bundle,
  options: { signal?: AbortSignal } = {},
): Promise<number | null> {
  const stamp = hashSources(root, sourcesOf(bundle));
  if (!hasBundleSources(bundle) || isBuilt(bundle, stamp)) return null;
  const began = performance.now();
  // Two starts from one checkout may build at once: each in its own folder, and the last one wins.
  const fresh = join(root, bundle, `dist-${process.pid}`);
  const old = `${fresh}-old`;
  try {
    await runVite(
      bundle,
      [
        'build',
        '--config',
        join(root, bundle, 'vite.config.ts'),
        '--outDir',
        fresh,
        '--emptyOutDir',
        '--logLevel',
        'warn',
      ],
      options.signal,
    );
    await writeCompressedCopies(fresh);
    writeFileSync(join(fresh, '.sources'), stamp);
    replaceFolder(fresh, distOf(bundle), old);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  return performance.now() - began;
}

/**
 * Replaces `place` with `fresh`. Another start may do the same at this moment: the last one wins.
 */
function replaceFolder(fresh: string, place: string, aside: string): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (existsSync(place)) renameSync(place, aside);
      renameSync(fresh, place);
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      rmSync(aside, { recursive: true, force: true });
    }
  }
}

/** Below this many bytes compression saves nothing. */
const minCompressBytes = 1_000;

/** Writes a brotli and a gzip copy beside each text file, as the web process serves them. */
async function writeCompressedCopies(folder: string): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.(js|css|html|svg|json|webmanifest)$/.test(name),
  );
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      if ((await stat(path)).size < minCompressBytes) return;
      const bytes = await readFile(path);
      await Promise.all([
        promisify(brotliCompress)(bytes).then((small) => writeFile(`${path}.br`, small)),
        promisify(gzip)(bytes, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
      ]);
    }),
  );
}

async function runVite(bundle: Bundle, args: string[], signal?: AbortSignal): Promise<void> {
  let program: string;
  try {
    program = join(
      dirname(createRequire(import.meta.url).resolve('vite/package.json')),
      'bin/vite.js',
    );
  } catch {
    throw new Error(
      `${bundle} isn’t built from these sources, and an install without development packages can’t build it. Run npm ci, or copy ${bundle}/dist from where it was built`,
    );
  }
  return new Promise((resolve, reject) => {
    const said: Buffer[] = [];
    const child = spawn(process.execPath, [program, ...args], {
      cwd: join(root, bundle),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
      ...(signal ? { signal } : {}),
    });
    child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0
        ? resolve()
        : reject(
            new Error(`${bundle} couldn’t be built:\n${Buffer.concat(said).toString().trim()}`),
          ),
    );
  });
}
