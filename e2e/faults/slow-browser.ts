import { runVitest } from '../../tools/vitest-run.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/** Journeys at a human pace, which reveals what only holds for instant key presses. */
export async function run({ size }: FaultOptions): Promise<Metric[]> {
  const files = size === 'full' ? [] : ['triage', 'contacts', 'flow'];
  const { passed, failed } = await runVitest(['--project', 'journeys', ...files], {
    SLOW_MO: '400',
  });
  const seen = `${passed} passed, ${failed} failed`;
  return [printMetric('slow-motion', seen, '0 failed', failed === 0 && passed > 0)];
}
