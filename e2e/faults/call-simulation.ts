import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/** Random flows and callers: "Try it" predicts what a live call does. */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const paths = size === 'full' ? 50_000 : 10_000;
  const file = 'server/src/modules/routing/engine/live-path.test.ts';
  const env = { LIVE_PATHS: String(paths), FC_SEED: String(seed) };
  const { passed, failed } = await runVitest(['--project', 'server', file], env);
  const seen = `${paths} flows, seed ${seed}: ${passed} passed, ${failed} failed`;
  return [printMetric('try-it', seen, '0 failed', failed === 0 && passed > 0)];
}
