import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '..');

export interface Counts {
  passed: number;
  failed: number;
}
/** Seconds each test file took, without loading its modules. */
export type FileTimes = { file: string; seconds: number }[];
/** A failed test's name, error and the state of its pages, for the end of a long log. */
export interface Failure {
  name: string;
  message: string;
  pages?: string[];
}

/**
 * Runs a Node program of this checkout and shows its output. Returns its exit code and output.
 * @param label prefix of each of its lines, where two programs write at once; none when empty
 * @param node the Node that runs it
 */
export function runNode(
  args: string[],
  env: Record<string, string> = {},
  label = '',
  node = process.execPath,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(node, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const before = label && `${label.padEnd(8)} │ `;
    let output = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`;
      process.stdout.write(`${before}${line}\n`);
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      process.stderr.write(`${before}${line}\n`);
    });
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** A part that fails without having counted a failure counts as one. */
export const withExit = ({ passed, failed }: Counts, code: number): Counts => ({
  passed,
  failed: code !== 0 && failed === 0 ? 1 : failed,
});

interface TestResult {
  status: string;
  fullName: string;
  failureMessages: string[];
  meta: { pages?: string[] };
}
interface FileResult {
  name: string;
  status: string;
  message: string;
  startTime: number;
  endTime: number;
  assertionResults: TestResult[];
}
/** What vitest's JSON reporter writes, as far as it is read here. */
interface Results {
  numPassedTests: number;
  numFailedTests: number;
  testResults: FileResult[];
}

/**
 * Runs vitest with these arguments and counts its tests; a file that doesn't load is one failure.
 */
export async function runVitest(
  args: string[],
  env: Record<string, string> = {},
  label = '',
  node = process.execPath,
): Promise<Counts & { files: FileTimes; failures: Failure[]; output: string }> {
  const scratch = mkdtempSync(join(tmpdir(), 'trunkline-tests-'));
  const file = join(scratch, 'results.json');
  const bin = join(root, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  try {
    const { code, output } = await runNode([bin, 'run', ...args, ...reporters], env, label, node);
    const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
    const unloadable = results.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
    );
    const failed = results.numFailedTests + unloadable.length;
    const failures = [
      ...unloadable.map(({ name, message }) => ({ name: relative(root, name), message })),
      ...results.testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter((one) => one.status === 'failed')
          .map((one) => ({
            name: `${relative(root, name)} > ${one.fullName}`,
            message: one.failureMessages.join('\n'),
            pages: one.meta.pages ?? [],
          })),
      ),
    ];
    const files = results.testResults.map(({ name, startTime, endTime }) => ({
      file: relative(root, name),
      seconds: (endTime - startTime) / 1000,
    }));
    return {
      ...withExit({ passed: results.numPassedTests, failed }, code),
      files,
      failures,
      output,
    };
  } catch (error) {
    console.error(String(error));
    const failures = [{ name: `vitest ${args.join(' ')}`, message: String(error) }];
    return { passed: 0, failed: 1, files: [], failures, output: '' };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
