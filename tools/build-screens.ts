/**
 * Builds the screens when their sources changed, and weighs what a browser loads before it can use
 * each of them: the frame, the screen, and what both import, as sent (brotli).
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildWeb, hasWebSources } from '../server/src/start/web-build.ts';

/** Budget in kB for the scripts of any screen. */
const budget = 250;
/** What a screen shows at once although it is imported dynamically. */
const shownAtOnce: Record<string, string[]> = {
  'src/features/routing/screens/NumberFlow.tsx': ['src/features/routing/flow/Canvas.tsx'],
};

interface Chunk {
  file: string;
  isEntry?: boolean;
  imports?: string[];
}
const dist = join(import.meta.dirname, '../web/dist');

/** Bytes of one script on the wire. */
function sent(file: string): number {
  const path = join(dist, file);
  return statSync(existsSync(`${path}.br`) ? `${path}.br` : path).size;
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

if (!hasWebSources()) {
  console.log('0 passed, 0 failed');
} else {
  const ms = await buildWeb();
  console.log(
    ms === null
      ? 'Screens are built from these sources already'
      : `Screens built in ${(ms / 1000).toFixed(1)} s`,
  );
  const chunks = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >;
  const frame = Object.keys(chunks).find((name) => chunks[name]?.isEntry) ?? '';
  const screens = Object.keys(chunks).filter((name) => name.includes('/screens/'));
  const weights = screens
    .map((name) => {
      const files = needed(chunks, name, needed(chunks, frame));
      for (const part of shownAtOnce[name] ?? []) needed(chunks, part, files);
      const kB = Math.round([...files].reduce((sum, file) => sum + sent(file), 0) / 1000);
      return { name: name.replace(/^.*\/|\.tsx$/g, ''), kB, files: [...files] };
    })
    .sort((a, b) => b.kB - a.kB);

  let failed = 0;
  for (const { name, kB, files } of weights) {
    if (kB <= budget) continue;
    failed += 1;
    console.log(`✗ ${name} loads ${kB} kB of scripts, ${budget} kB are allowed:`);
    for (const file of files.sort((a, b) => sent(b) - sent(a)).slice(0, 12))
      console.log(`    ${(sent(file) / 1000).toFixed(1).padStart(6)} kB ${file}`);
  }
  const passed = weights.length - failed;
  console.log(
    `Heaviest: ${weights
      .slice(0, 5)
      .map(({ name, kB }) => `${name} ${kB} kB`)
      .join(
        ', ',
      )}; the frame alone ${Math.round([...needed(chunks, frame)].reduce((sum, file) => sum + sent(file), 0) / 1000)} kB`,
  );
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
