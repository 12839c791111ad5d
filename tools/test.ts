/**
 * `npm test`: everything that gates a change. Lanes run side by side: while one waits (for a
 * browser, a database, a timer), the other has the two cores. Prints where the time went and
 * what failed, and ends with one line that sums it up. `npm test -- journeys` runs the parts whose
 * name contains the word. What is random, long or slow: `npm run test:faults`.
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
/**
 * Server tests that reach through the whole product, or hold calls. Journeys alone are shorter than
 * the other lane; with these, both end at about the same time.
 */
const through = ['e2e', 'server/test/conformance'];
/**
 * Stages follow each other. The lanes of a stage run side by side, and the parts of a lane one after
 * the other, so that two vitest runs of two workers each use the two cores to the end. Journeys need
 * built screens, which an earlier stage builds.
 */
const stages: Record<string, Part>[][] = [
  [
    { check: (label) => program('tools/check.mjs', label) },
    { screens: (label) => program('tools/build-screens.ts', label) },
  ],
  [
    {
      tests: (label) => {
        const projects = ['plain', 'dom', 'server'].flatMap((name) => ['--project', name]);
        const elsewhere = through.flatMap((folder) => ['--exclude', `${folder}/**`]);
        return runVitest([...projects, ...elsewhere], {}, label);
      },
    },
    {
      journeys: (label) => runVitest(['--project', 'journeys'], {}, label),
      through: (label) => runVitest(['--project', 'server', ...through], {}, label),
    },
  ],
];

const total: Counts = { passed: 0, failed: 0 };
const times: string[] = [];
const files: FileTimes = [];
const failures: Failure[] = [];
const began = performance.now();
const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(0)} s`;
for (const stage of stages) {
  const lanes = stage
    .map((lane) => Object.entries(lane).filter(([name]) => name.includes(wanted)))
    .filter((lane) => lane.length > 0);
  if (lanes.length === 0) continue;
  console.log(
    `\n── ${lanes.map((lane) => lane.map(([name]) => name).join(', then ')).join(' and ')}`,
  );
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [name, part] of lane) {
        const start = performance.now();
        const done = await part(lanes.length > 1 ? name : '');
        total.passed += done.passed;
        total.failed += done.failed;
        times.push(`${name} ${since(start)}`);
        files.push(...(done.files ?? []));
        failures.push(...(done.failures ?? []));
      }
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
