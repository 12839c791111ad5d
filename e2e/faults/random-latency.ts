import { join } from 'node:path';
import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/** Server tests with random waits before database statements, which reveals races. */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const waits = join(import.meta.dirname, '../../tools/chaos-latency.mjs');
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${waits}`.trim();
  const inbox = ['hand-over', 'receive-texts', 'schedule-message', 'team'];
  const files =
    size === 'full'
      ? ['server/']
      : [
          'server/src/modules/campaigns',
          ...inbox.map((name) => `server/src/modules/conversations/${name}`),
        ];
  const { passed, failed } = await runVitest(['--project', 'server', ...files], {
    NODE_OPTIONS,
    WAITS_SEED: String(seed),
  });
  const seen = `${passed} passed, ${failed} failed`;
  return [printMetric('random-latency', seen, '0 failed', failed === 0 && passed > 0)];
}
