import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/**
 * Eight weeks of an office's traffic with five planted faults, checked as the clock would: all five
 * found, at most two false alerts. `full`: six such offices.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const offices = size === 'full' ? 6 : 1;
  const figures: Metric[] = [];
  for (let n = 0; n < offices; n++) {
    const file = 'server/src/modules/monitoring/weeks-of-traffic.test.ts';
    const env = { ALERT_WEEKS: '8', ALERT_SEED: String(seed + n) };
    const { passed, failed } = await runVitest(['--project', 'server', file], env);
    const isMet = failed === 0 && passed > 0;
    const seen = `seed ${seed + n}: ${isMet ? 'all 5 found, at most 2 false' : 'missed, see above'}`;
    figures.push(printMetric('alerts', seen, '5 of 5, at most 2 false', isMet));
  }
  return figures;
}
