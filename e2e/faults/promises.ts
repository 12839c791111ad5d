import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Promises that nothing waits for, whose failure would be lost or end the process. The linter needs every type for it, as
 * long again as the type check, so `npm run check` leaves it out.
 */
export async function run(_: FaultOptions): Promise<Metric[]> {
  const linted = spawnSync(
    join(root, 'node_modules/.bin/oxlint'),
    ['--type-aware', '-A', 'all', '-D', 'typescript/no-floating-promises'],
    { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
  );
  const [, files] = / on (\d+) files/.exec(linted.stdout) ?? [];
  const [, found] = /(\d+) errors?\b/.exec(linted.stdout) ?? [];
  if (found !== '0') console.log(linted.stdout, linted.stderr);
  return [
    printMetric(
      'promises that nothing waits for',
      `${found ?? 'not said'} in ${files ?? 0} files`,
      '0',
      found === '0' && linted.status === 0 && Number(files) > 1000,
    ),
  ];
}
