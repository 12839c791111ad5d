/**
 * `npm test`: everything that gates a change. Prints where the time went and what failed, and ends
 * with one line that sums it up. `npm test -- journeys` runs the parts whose name contains the
 * word. What is random, long or slow: `npm run test:faults`.
 */
import {
  runNode,
  runVitest,
  withExit,
  type Counts,
  type Failure,
  type FileTimes,
} from './vitest-run.ts';

type Part = (label: string) => Promise<Counts & { files?: FileTimes; failures?: Failure[] }>;

const wanted = process.argv[2] ?? '';
const projects = (...names: string[]): string[] => names.flatMap((name) => ['--project', name]);
/**
 * Stages follow each other, and what is in one runs side by side. Tests and journeys each use both
 * cores to the end with two workers; side by side both took longer than one after the other.
 */
const stages: Record<string, Part>[] = [
  {
    check: (label) => program('tools/check.mjs', label),
    screens: (label) => program('tools/build-screens.ts', label),
  },
  { tests: (label) => runVitest(projects('plain', 'dom', 'server'), {}, label) },
  // These need the built screens.
  { journeys: (label) => runVitest(projects('journeys'), {}, label) },
];

const total: Counts = { passed: 0, failed: 0 };
const times: string[] = [];
const files: FileTimes = [];
const failures: Failure[] = [];
const began = performance.now();
const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(0)} s`;
for (const stage of stages) {
  const parts = Object.entries(stage).filter(([name]) => name.includes(wanted));
  if (parts.length === 0) continue;
  console.log(`\n── ${parts.map(([name]) => name).join(' and ')}`);
  await Promise.all(
    parts.map(async ([name, part]) => {
      const start = performance.now();
      const done = await part(parts.length > 1 ? name : '');
      total.passed += done.passed;
      total.failed += done.failed;
      times.push(`${name} ${since(start)}`);
      files.push(...(done.files ?? []));
      failures.push(...(done.failures ?? []));
    }),
  );
}

console.log('\n── where the time went');
for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)) {
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
}
console.log(`${times.join(', ')}; ${since(began)} in all`);
if (failures.length > 0) {
  // Again, and shortened: someone who only sees the end of a long log needs to know what to fix.
  console.log('\n── what failed');
  for (const { name, message, pages = [] } of failures.slice(0, 10)) {
    const shown = [
      ...message
        .split('\n')
        .slice(0, 6)
        .map((line) => line.slice(0, 300)),
      ...pages,
    ];
    console.log([name, ...shown.map((line) => `    ${line}`)].join('\n'));
  }
  if (failures.length > 10) console.log(`and ${failures.length - 10} more`);
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

/** A program of ours whose last line is its count. */
async function program(file: string, label: string): Promise<Counts & { failures: Failure[] }> {
  const { code, output } = await runNode(['--import', 'tsx', file], {}, label);
  const [, passed = 0, failed = 0] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  const counts = withExit({ passed: Number(passed), failed: Number(failed) }, code);
  const end = output.trimEnd().split('\n').slice(-6).join('\n');
  return { ...counts, failures: counts.failed > 0 ? [{ name: file, message: end }] : [] };
}
