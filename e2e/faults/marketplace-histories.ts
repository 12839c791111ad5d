import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/**
 * Random histories of three companies that list, lease and give back: one holder per number, one
 * payer per lease.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const histories = size === 'full' ? 10_000 : 300;
  const file = 'server/src/modules/marketplace/histories.test.ts';
  const env = { LEASE_HISTORIES: String(histories), LEASE_SEED: String(seed) };
  const { passed, failed } = await runVitest(['--project', 'server', file], env);
  const seen = `${histories} histories, seed ${seed}: ${passed} passed, ${failed} failed`;
  return [printMetric('marketplace-histories', seen, '0 failed', failed === 0 && passed > 0)];
}
