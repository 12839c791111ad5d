/**
 * `npm test`: everything that gates a change, one part after the other because two cores carry no
 * more. It says where the time went and ends with one line that sums it all. `npm test -- journeys`
 * runs the parts whose name holds the word. What is random, long or slow: `npm run test:faults`.
 */
import { runNode, runVitest, withExit, type Counts, type FileTimes } from './vitest-run.ts';

const wanted = process.argv[2] ?? '';

const parts: Record<string, () => Promise<Counts & { files?: FileTimes }>> = {
  check: () => program('tools/check.mjs'),
  tests: () => runVitest(['--project', 'plain', '--project', 'dom', '--project', 'server']),
  screens: () => program('tools/build-screens.ts'),
  journeys: () => runVitest(['--project', 'journeys']),
};

const total: Counts = { passed: 0, failed: 0 };
const times: string[] = [];
const files: FileTimes = [];
const began = performance.now();
const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(0)} s`;
for (const [name, part] of Object.entries(parts)) {
  if (!name.includes(wanted)) continue;
  console.log(`\n── ${name}`);
  const start = performance.now();
  const done = await part();
  total.passed += done.passed;
  total.failed += done.failed;
  times.push(`${name} ${since(start)}`);
  files.push(...(done.files ?? []));
}

console.log('\n── where the time went');
for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 20)) {
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
console.log(`${times.join(', ')}; ${since(began)} in all`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

/** A program of ours whose last line counts. */
async function program(file: string): Promise<Counts> {
  const { code, output } = await runNode(['--import', 'tsx', file]);
  const [, passed = 0, failed = 0] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  return withExit({ passed: Number(passed), failed: Number(failed) }, code);
}
