/**
 * `npm run test:faults [name] [-- --size full --seed 7]`: what is random, long or slow and so no part of
 * `npm test`. Each file of e2e/faults whose name begins with `name` runs, one after the other, and
 * gives figures; the table stands at the end. Run it before a larger change is called done.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure, Options } from '../e2e/figure.ts';

const folder = join(import.meta.dirname, '../e2e/faults');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: 'quick' }, seed: { type: 'string' } },
});
const size = values.size === 'full' ? 'full' : 'quick';
const seed = Number(values.seed ?? 1 + Math.floor(Math.random() * 1_000_000));
const names = readdirSync(folder).filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3)).filter((name) => name.startsWith(positionals[0] ?? '')).sort();
if (!names.length || !Number.isInteger(seed) || !['quick', 'full'].includes(values.size)) {
  console.error('npm run test:faults [name] [-- --size quick|full --seed whole number]');
  console.error(`Names: ${readdirSync(folder).map((file) => file.replace(/\.ts$/, '')).join(', ')}`);
  process.exit(2);
}
console.log(`size ${size}, seed ${seed} (again with: --size ${size} --seed ${seed})`);

const figures: Figure[] = [];
for (const name of names) {
  console.log(`\n── ${name}`);
  const began = performance.now();
  try {
    const { run } = (await import(join(folder, `${name}.ts`))) as { run(options: Options): Promise<Figure[]> };
    figures.push(...(await run({ size, seed })));
  } catch (error) {
    console.error(error);
    figures.push({ id: name, figure: `threw: ${String(error).split('\n')[0]}`, target: 'ends', pass: false });
  }
  console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
}

const rows = figures.map(({ id, figure, target, pass }) => [id, figure, target, pass ? 'yes' : 'NO']);
const table = [['id', 'figure', 'target', 'pass'], ['---', '---', '---', '---'], ...rows];
console.log(`\nsize ${size}, seed ${seed}`);
for (const row of table) console.log(`| ${row.map((cell) => cell.replaceAll('|', '/')).join(' | ')} |`);
const failed = figures.filter(({ pass }) => !pass).length;
console.log(`${figures.length - failed} passed, ${failed} failed`);
process.exit(failed > 0 || figures.length === 0 ? 1 : 0);
