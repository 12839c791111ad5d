/**
 * `npm run test:faults [name] [-- --size full --seed 7]`: tests that are random, long or slow and
 * so not part of `npm test`. Runs each file of e2e/faults whose name begins with `name`, one after
 * the other, and prints a table of figures at the end; exits with 1 when a goal was missed. Run it
 * before a larger change is done; docs/quality.md says how long each takes.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Metric, FaultOptions } from '../e2e/metric.ts';

const folder = join(import.meta.dirname, '../e2e/faults');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string', default: 'quick' }, seed: { type: 'string' } },
});
const size = values.size === 'full' ? 'full' : 'quick';
const seed = Number(values.seed ?? 1 + Math.floor(Math.random() * 1_000_000));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -3))
  .filter((name) => name.startsWith(positionals[0] ?? ''))
  .sort();
if (!names.length || !Number.isInteger(seed) || !['quick', 'full'].includes(values.size)) {
  console.error('npm run test:faults [name] [-- --size quick|full --seed whole number]');
  console.error(
    `Names: ${readdirSync(folder)
      .map((file) => file.replace(/\.ts$/, ''))
      .join(', ')}`,
  );
  process.exit(2);
}
console.log(`size ${size}, seed ${seed} (again with: --size ${size} --seed ${seed})`);

interface Row extends Metric {
  name: string;
  seconds: string;
}
const rows: Row[] = [];
for (const name of names) {
  console.log(`\n── ${name}`);
  const began = performance.now();
  let figures: Metric[];
  try {
    const { run } = (await import(join(folder, `${name}.ts`))) as {
      run(options: FaultOptions): Promise<Metric[]>;
    };
    figures = await run({ size, seed });
    if (!figures.length) throw new Error('it gave no figures');
  } catch (error) {
    console.error(error);
    figures = [
      { id: name, value: `threw: ${String(error).split('\n')[0]}`, target: 'ends', pass: false },
    ];
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${name}: ${seconds} s`);
  rows.push(...figures.map((one, n): Row => ({ ...one, name, seconds: n === 0 ? seconds : '' })));
}

const verdict = ({ pass }: Metric): string =>
  pass === 'skipped' ? 'skipped' : pass ? 'yes' : 'NO';
const table = [
  ['name', 'size', 'seed', 'seconds', 'what', 'figure', 'goal', 'passed'],
  Array.from({ length: 8 }, () => '---'),
  ...rows.map((row) => [
    row.name,
    size,
    String(seed),
    row.seconds,
    row.id,
    row.value,
    row.target,
    verdict(row),
  ]),
];
console.log('');
for (const row of table)
  console.log(
    `| ${row.map((cell) => cell.replaceAll('|', '/').replaceAll('\n', ' ')).join(' | ')} |`,
  );
const count = (pass: Metric['pass']): number => rows.filter((row) => row.pass === pass).length;
console.log(`\n${count(true)} passed, ${count(false)} failed, ${count('skipped')} skipped`);
process.exit(count(false) > 0 ? 1 : 0);
