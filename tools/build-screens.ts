/**
 * Builds our browser bundles when their sources changed, and weighs what a browser loads before it
 * can use each of them. For the main app that is each screen: the frame, the screen, and what both
 * import. This is the one place with the budgets; `npm test` fails above them.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { version } from '../snippet/src/version.ts';
import {
  buildBundle,
  bundles,
  distOf,
  hasBundleSources,
  type Bundle,
} from '../server/src/start/bundle-build.ts';

/** Scripts in kB as sent: brotli from our own server, gzip for the script on others' pages (5 KB: 5,120 bytes). */
const budgets: Record<Bundle, number> = { web: 256, admin: 145, caddy: 150, snippet: 5.12 };
/** Scripts in files: over HTTP/1.1 a browser fetches six at a time. */
const mostFiles = 45;
/** What a screen shows at once although it is imported dynamically. */
const shownAtOnce: Record<string, string[]> = {
  'src/features/routing/screens/NumberFlow.tsx': ['src/features/routing/flow/Canvas.tsx'],
};

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}
/** What is weighed: a screen or a whole bundle, with the files it needs and their bytes. */
interface Load {
  name: string;
  files: { file: string; bytes: number }[];
}

/** Everything that must be there before `name` can run. */
function needed(
  chunks: Record<string, Chunk>,
  name: string,
  found = new Set<string>(),
): Set<string> {
  const chunk = chunks[name];
  if (!chunk) throw new Error(`${name} is not in the build`);
  if (found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const other of chunk.imports ?? []) needed(chunks, other, found);
  return found;
}

/** What a browser loads of a bundle: first what every page of it needs, then each screen. */
function loadsOf(bundle: Bundle): { whole: Load; screens: Load[] } {
  const dist = distOf(bundle);
  if (bundle === 'snippet') {
    const bytes = gzipSync(readFileSync(join(dist, 'dni.js')), { level: 9 }).length;
    return { whole: { name: bundle, files: [{ file: 'dni.js', bytes }] }, screens: [] };
  }
  const chunks = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const sent = (file: string): number => {
    const path = join(dist, file);
    return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
  };
  const weigh = (name: string, files: Set<string>): Load => ({
    name,
    files: [...files].map((file) => ({ file, bytes: sent(file) })),
  });
  const entry = Object.keys(chunks).find((name) => chunks[name]?.isEntry) ?? '';
  const screens = Object.keys(chunks).filter((name) => name.includes('/screens/'));
  return {
    whole: weigh(bundle, needed(chunks, entry)),
    screens: screens.map((name) => {
      const files = needed(chunks, name, needed(chunks, entry));
      for (const part of shownAtOnce[name] ?? []) needed(chunks, part, files);
      return weigh(name.replace(/^.*\/|\.tsx$/g, ''), files);
    }),
  };
}

const kB = ({ files }: Load): number => files.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;

let passed = 0;
let failed = 0;
for (const bundle of bundles.filter(hasBundleSources)) {
  const ms = await buildBundle(bundle);
  const built = ms === null ? 'built already' : `built in ${(ms / 1000).toFixed(1)} s`;
  const { whole, screens } = loadsOf(bundle);
  const loads = [whole, ...screens].sort((a, b) => kB(b) - kB(a));
  const heaviest = loads.slice(0, 5).map((load) => `${load.name} ${kB(load).toFixed(1)} kB`);
  const budget = budgets[bundle];
  const frame = screens.length ? `; the frame alone ${kB(whole).toFixed(1)} kB` : '';
  console.log(`${bundle}: ${built}; ${heaviest.join(', ')}${frame}; allowed ${budget} kB`);
  for (const load of loads) {
    if (kB(load) <= budget && load.files.length <= mostFiles) {
      passed += 1;
      continue;
    }
    failed += 1;
    if (load.files.length > mostFiles)
      console.log(`✗ ${load.name} loads ${load.files.length} files, ${mostFiles} are allowed`);
    console.log(`✗ ${load.name} loads ${kB(load).toFixed(1)} kB, ${budget} kB are allowed:`);
    for (const { file, bytes } of load.files.sort((a, b) => b.bytes - a.bytes).slice(0, 12))
      console.log(`    ${(bytes / 1000).toFixed(1).padStart(6)} kB ${file}`);
  }
}
// Pages pin a version of the script by its bytes, so what is served is kept, not built.
const released = join(distOf('snippet'), '../releases', `${version}.js`);
if (
  existsSync(released) &&
  readFileSync(released).equals(readFileSync(join(distOf('snippet'), 'dni.js')))
)
  passed += 1;
else {
  failed += 1;
  console.log(`✗ snippet/releases/${version}.js isn’t what snippet/src makes: npm run snippet`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
