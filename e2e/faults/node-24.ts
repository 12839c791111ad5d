import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runNode, runVitest, type Counts } from '../../tools/vitest-run.ts';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';
import { unpackPackage } from '../node.ts';

/** The version that the image has (deploy/Dockerfile). `npm test` runs on the one of the machine. */
const major = 24;
/**
 * What depends on Node itself: connections, streams, threads, files, time zones, native packages,
 * sound, and all code that has no server.
 */
const folders = [
  'server/src/platform',
  'server/src/backup',
  'server/src/exchange',
  'server/src/adapters',
  'server/src/start',
];

/**
 * The product on the image's Node: an operator's way with a release (`operator`), and tests. Quick:
 * those of `folders`, and all without a server. Full: all of `npm test`.
 */
export async function run({ size }: FaultOptions): Promise<Metric[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-node-'));
  chmodSync(folder, 0o755);
  try {
    const bin = join(
      unpackPackage(`node-${process.platform}-${process.arch}@${major}`, folder),
      'bin',
    );
    const env = { PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` };
    const node = join(bin, 'node');
    chmodSync(node, 0o755);
    const { output: version } = await runNode(['--version'], env, '', node);
    const asked = ['--import', 'tsx', 'tools/test-faults.ts', 'operator'];
    const operator = await runNode(asked, env, '', node);
    const of = (what: string) =>
      new RegExp(`operator: ${what} \\| ([^|]+) \\|`).exec(operator.output)?.[1] ?? 'never';
    const counts = size === 'full' ? await wholeTests(node, env) : await chosenTests(node, env);
    return [
      printMetric('node: version', version.trim(), `v${major}`, version.startsWith(`v${major}.`)),
      printMetric('node: start of a release', of('first start'), 'shown', true),
      printMetric(
        'node: an operator’s way, a call included',
        operator.code === 0 ? 'passes' : 'fails',
        'passes',
        operator.code === 0,
      ),
      printMetric(
        'node: tests',
        `${counts.passed} passed, ${counts.failed} failed`,
        'none fails',
        counts.failed === 0 && counts.passed > 0,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const chosenTests = async (node: string, env: Record<string, string>): Promise<Counts> => {
  const code = await runVitest(['--project', 'plain', '--project', 'dom'], env, '', node);
  const server = await runVitest(['--project', 'server', ...folders], env, '', node);
  return { passed: code.passed + server.passed, failed: code.failed + server.failed };
};

async function wholeTests(node: string, env: Record<string, string>): Promise<Counts> {
  const { output } = await runNode(['--import', 'tsx', 'tools/test.ts'], env, '', node);
  const [, passed = 0, failed = 1] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  return { passed: Number(passed), failed: Number(failed) };
}
