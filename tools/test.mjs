/**
 * `npm test`: everything, one part after the other because two cores carry no more, and one line at
 * the end that sums it all. `npm test -- journeys` runs the parts whose name holds the word.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'trunkline-tests-'));
const wanted = process.argv[2] ?? '';

const parts = {
  check: () => run('check', ['--import', 'tsx', 'tools/check.mjs'], lastLine),
  tests: () => vitest('tests', ['--project', 'plain', '--project', 'server']),
  screens: () => run('screens', ['--import', 'tsx', 'tools/build-screens.ts'], lastLine),
  journeys: () => vitest('journeys', ['--project', 'journeys', '--passWithNoTests']),
};

const total = { passed: 0, failed: 0 };
const times = [];
for (const [name, part] of Object.entries(parts)) {
  if (!name.includes(wanted)) continue;
  console.log(`\n── ${name}`);
  const began = performance.now();
  const { passed, failed } = await part();
  total.passed += passed;
  total.failed += failed;
  times.push(`${name} ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
rmSync(scratch, { recursive: true, force: true });
console.log(`\n${times.join(', ')}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;

/** Runs one part and counts; a part that ends badly without having counted a failure is one failure. */
function run(name, args, count) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], env: process.env });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      process.stdout.write(chunk);
    });
    child.once('close', (code) => {
      const { passed, failed } = count(said, name);
      resolve({ passed, failed: code !== 0 && failed === 0 ? 1 : failed });
    });
  });
}

function lastLine(said) {
  const [, passed = 0, failed = 0] = /(\d+) passed, (\d+) failed\s*$/.exec(said) ?? [];
  return { passed: Number(passed), failed: Number(failed) };
}

function vitest(name, args) {
  const file = join(scratch, `${name}.json`);
  const bin = join(root, 'node_modules/vitest/vitest.mjs');
  return run(name, [bin, 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], () => {
    try {
      const { testResults, numPassedTests, numFailedTests } = JSON.parse(readFileSync(file, 'utf8'));
      // A file that does not even load holds no test that could have failed.
      const unloadable = testResults.filter(({ status, assertionResults }) => status === 'failed' && !assertionResults.some((one) => one.status === 'failed')).length;
      return { passed: numPassedTests, failed: numFailedTests + unloadable };
    } catch {
      return { passed: 0, failed: 1 };
    }
  });
}
