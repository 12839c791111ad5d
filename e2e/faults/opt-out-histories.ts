import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/**
 * Random histories of STOP, START, import, merge, delete and campaign: nothing is sent between STOP
 * and START.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const histories = size === 'full' ? 5000 : 300;
  const file = 'server/src/modules/conversations/opt-out.test.ts';
  const env = { OPT_OUT_HISTORIES: String(histories), OPT_OUT_SEED: String(seed) };
  const { passed, failed } = await runVitest(['--project', 'server', file], env);
  const seen = `${histories} histories, seed ${seed}: ${passed} passed, ${failed} failed`;
  return [printMetric('opt-out-histories', seen, '0 failed', failed === 0 && passed > 0)];
}
