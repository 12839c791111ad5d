import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/**
 * Random stories of plans, cards and usage against a small model: every invoice to the cent, the
 * balance and the state after each step.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const histories = size === 'full' ? 10_000 : 300;
  const file = 'server/src/modules/billing/histories.test.ts';
  const env = { BILLING_HISTORIES: String(histories), BILLING_SEED: String(seed) };
  const { passed, failed } = await runVitest(['--project', 'server', file], env);
  const seen = `${histories} histories, seed ${seed}: ${passed} passed, ${failed} failed`;
  return [printMetric('billing-histories', seen, '0 failed', failed === 0 && passed > 0)];
}
