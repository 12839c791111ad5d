import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { hashSources } from './source-hash.ts';

const root = join(import.meta.dirname, '../../..');
const dist = join(root, 'web/dist');
const stampFile = join(dist, '.sources');

/** What the screens are made of; a change in any of it means a new build. */
const sources = ['web', 'ui', 'contract/src', 'package.json', 'package-lock.json', 'modules.mjs'];

export const hasWebSources = () => existsSync(join(root, 'web/vite.config.ts'));
export const isWebBuilt = (stamp = hashSources(root, sources)) =>
  existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;

/**
 * Builds the screens unless they are built from exactly these sources.
 * @returns how long it took in milliseconds, or null when there was nothing to do
 */
export async function buildWeb(options: { signal?: AbortSignal } = {}): Promise<number | null> {
  const stamp = hashSources(root, sources);
  if (!hasWebSources() || isWebBuilt(stamp)) return null;
  const began = performance.now();
  // Two starts from one checkout may build at once: each in its own folder, and the last one stays.
  const fresh = join(root, `web/dist-${process.pid}`);
  const old = `${fresh}-old`;
  try {
    await runVite(
      [
        'build',
        '--config',
        join(root, 'web/vite.config.ts'),
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
    replaceFolder(fresh, dist, old);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
  return performance.now() - began;
}

/** `fresh` stands where `place` stood. Another start may do the same at this moment: whoever is last stays. */
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

/** Below this many bytes a compressed copy saves nothing on the wire. */
const minCompressBytes = 1_000;

/** Puts a brotli and a gzip copy beside each text file, as the web process serves them. */
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

async function runVite(args: string[], signal?: AbortSignal): Promise<void> {
  let program: string;
  try {
    program = join(
      dirname(createRequire(import.meta.url).resolve('vite/package.json')),
      'bin/vite.js',
    );
  } catch {
    throw new Error(
      'The screens aren’t built from these sources, and an install without development packages can’t build them. Run npm ci, or copy web/dist from where it was built',
    );
  }
  return new Promise((resolve, reject) => {
    const said: Buffer[] = [];
    const child = spawn(process.execPath, [program, ...args], {
      cwd: join(root, 'web'),
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
            new Error(`The screens couldn’t be built:\n${Buffer.concat(said).toString().trim()}`),
          ),
    );
  });
}
