/** Builds the screens when their sources changed, and weighs what a browser must load first. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildWeb, hasScreens } from '../server/src/start/web-build.ts';

const dist = join(import.meta.dirname, '../web/dist');
const kB = (bytes: number) => Math.round(bytes / 1000);
const weigh = (name: string) => gzipSync(readFileSync(join(dist, name))).length;

/** Budgets in kB of gzip: what the first page needs, and what a further screen may add. */
const firstBudget = 250;
const chunkBudget = 120;

if (!hasScreens()) {
  console.log('0 passed, 0 failed');
} else {
  const ms = await buildWeb();
  console.log(ms === null ? 'Screens are built from these sources already' : `Screens built in ${(ms / 1000).toFixed(1)} s`);
  const page = readFileSync(join(dist, 'index.html'), 'utf8');
  const first = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, path]) => path as string);
  const firstWeight = kB(first.reduce((sum, path) => sum + weigh(path), 0));
  const others = readdirSync(join(dist, 'assets')).filter((name) => name.endsWith('.js') && !first.includes(`assets/${name}`));
  const heaviest = others.map((name) => ({ name, weight: kB(weigh(join('assets', name))) })).sort((a, b) => b.weight - a.weight)[0];
  const results = [
    [firstWeight <= firstBudget, `first load ${firstWeight} kB of ${firstBudget} kB`],
    [!heaviest || heaviest.weight <= chunkBudget, `heaviest further chunk ${heaviest?.weight ?? 0} kB of ${chunkBudget} kB (${heaviest?.name ?? 'none'})`],
  ] as const;
  for (const [ok, line] of results) console.log(`${ok ? '✓' : '✗'} ${line}`);
  const failed = results.filter(([ok]) => !ok).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}
