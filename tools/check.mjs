/**
 * Every automatic check of the codebase, one line a step. `npm run check` runs all of
 * them, two at a time, and says how long each took; `npm run check -- lint` runs those whose name
 * holds the word.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wrongPlaces } from './check-documents.mjs';
import { tablesOfMigrations } from './generate-tables.ts';
import { catalogueFaults } from './messages.ts';
import { outdatedLists } from './subject-lists.ts';
import { openapiFaults, openapiOmissions } from './openapi.ts';
import { settingsTable, tableIn } from './settings-table.ts';
import { brokenRules, ruleViolations } from './dependency-rules-selftest.mjs';
import { missedSystemRoleViolations, systemRoleViolations } from './system-role.mjs';

const root = join(import.meta.dirname, '..');
const folders = [
  'contract',
  'server',
  'ui',
  'web',
  'admin',
  'caddy',
  'snippet',
  'e2e',
  'bench',
].filter((name) => existsSync(join(root, name)));
const read = (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '');

/**
 * Each step returns its findings, one line each; none when all is well. The longest start first.
 */
const steps = {
  // Type checkers are CPU-bound and repeat each other's work: one takes half of the CPU time, and
  // the other steps run beside it.
  'types agree (tsc)': () =>
    program('tsc', '-p', 'tsconfig.json', '--noEmit', '--pretty', 'false', '--checkers', '1'),
  'no dead code, no figure above its ceiling (`npm run measure` shows them)': async () =>
    (await import('./measure.ts')).risenFigures(),
  'the OpenAPI document is sound, its examples fit their schemas (spectral)': () => openapiFaults(),
  'formatted (oxfmt; `npm run format` fixes it)': () => program('oxfmt', '--list-different'),
  'lint (oxlint)': () => program('oxlint', '--quiet', '--format', 'unix'),
  'imports follow the module order and use public APIs': async () =>
    (await ruleViolations(folders)).lines,
  'every dependency rule finds its planted violation': async () =>
    (await brokenRules()).map((name) => `the rule ${name} misses its planted violation`),
  'the system role is used in stores or with a reason': () => systemRoleViolations(),
  'the system role is found where it is planted': () => missedSystemRoleViolations(),
  'table types match the migrations': async () =>
    (await tablesOfMigrations()) === read('server/src/platform/tables.ts')
      ? []
      : ['server/src/platform/tables.ts is out of date. Run: npm run types'],
  'the OpenAPI document holds every endpoint once': () => openapiOmissions(),
  'the lists of subjects match the folders': () => outdatedLists(),
  'README lists every setting': () =>
    tableIn(read('README.md')) === settingsTable()
      ? []
      : ['The table of settings in README.md is missing or out of date. Run: npm run settings'],
  'the message catalogue is current, every key a literal': () => catalogueFaults(),
  'documents name what exists': () => wrongPlaces(),
};

function program(name, ...args) {
  return new Promise((resolve) => {
    const child = spawn(join(root, 'node_modules/.bin', name), args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stderr.on('data', (chunk) => (said += chunk));
    child.once('error', (error) => resolve([error.message]));
    child.once('close', (code) => resolve(code === 0 ? [] : said.trim().split('\n')));
  });
}

const wanted = process.argv[2] ?? '';
let passed = 0;
let failed = 0;
const waiting = Object.entries(steps).filter(([name]) => name.includes(wanted));
await Promise.all(
  [1, 2].map(async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, step] = next;
      const began = performance.now();
      const problems = await Promise.resolve()
        .then(step)
        .catch((error) => [error.stack ?? String(error)]);
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
      if (problems.length === 0) passed += 1;
      else failed += 1;
      console.log(`${problems.length === 0 ? '✓' : '✗'} ${seconds} s  ${name}`);
      for (const line of problems.slice(0, 60)) console.log(`           ${line}`);
      if (problems.length > 60) console.log(`           … and ${problems.length - 60} more lines`);
    }
  }),
);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
